/* Slot pools. In: slots given back. Out: the slot freed last, or a new one. */
#include "base/base.h"

ew_status ew_pool_take(ew_pool *pool, int32_t *slot)
{
    if (pool->hole.n) {
        *slot = pool->hole.id[--pool->hole.n];
        return EW_OK;
    }
    if (pool->n_slot == INT32_MAX) {
        return ew_fail(EW_LIMIT, "all %d slots of a pool are open", INT32_MAX);
    }
    *slot = pool->n_slot++;
    return EW_OK;
}

ew_status ew_pool_give(ew_pool *pool, int32_t slot)
{
    EW_ASSERT(slot >= 0 && slot < pool->n_slot);
    return ew_list_push(&pool->hole, slot);
}

void ew_pool_free(ew_pool *pool)
{
    ew_list_free(&pool->hole);
    pool->n_slot = 0;
}
