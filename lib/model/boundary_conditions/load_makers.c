/* Loads by kind. In: what the kind reads. Out: an entry of the list that a model takes. */
#include "model/parts/model_sets.h"

#include <string.h>

static ew_model_load with_vector(ew_load_kind kind, int32_t set, const double vector[3])
{
    ew_model_load load = {.kind = kind, .set = set};
    memcpy(load.vector, vector, sizeof load.vector);
    return load;
}

ew_model_load ew_load_gravity(const double acceleration[3])
{
    return with_vector(EW_LOAD_GRAVITY, -1, acceleration);
}

ew_model_load ew_load_total_force(int32_t set, const double force[3])
{
    return with_vector(EW_LOAD_TOTAL_FORCE, set, force);
}

ew_model_load ew_load_force(int32_t set, const double force[3])
{
    return with_vector(EW_LOAD_FORCE, set, force);
}

ew_model_load ew_load_pressure(int32_t set, double pressure)
{
    ew_model_load load = {.kind = EW_LOAD_PRESSURE, .set = set, .pressure = pressure};
    return load;
}

ew_model_load ew_load_traction(int32_t set, const double per_area[3])
{
    return with_vector(EW_LOAD_TRACTION, set, per_area);
}

ew_model_load ew_load_moment(int32_t set, const double moment[3])
{
    return with_vector(EW_LOAD_MOMENT, set, moment);
}

ew_model_load ew_load_remote_force(int32_t set, const double force[3], const double point[3])
{
    ew_model_load load = {.kind = EW_LOAD_REMOTE_FORCE, .set = set};
    memcpy(load.vector, force, sizeof load.vector);
    memcpy(load.point, point, sizeof load.point);
    return load;
}

ew_model_load ew_load_bearing(int32_t set, const double force[3])
{
    return with_vector(EW_LOAD_BEARING, set, force);
}

ew_model_load ew_load_centrifugal(const double angular_velocity[3], const double point[3])
{
    ew_model_load load = {.kind = EW_LOAD_CENTRIFUGAL, .set = -1};
    memcpy(load.vector, angular_velocity, sizeof load.vector);
    memcpy(load.point, point, sizeof load.point);
    return load;
}

ew_model_load ew_load_temperature(int32_t set, double change)
{
    ew_model_load load = {.kind = EW_LOAD_TEMPERATURE, .set = set, .change = change};
    return load;
}

ew_model_load ew_load_field(int32_t set, int32_t field)
{
    ew_model_load load = {.kind = EW_LOAD_FIELD, .set = set, .field = field};
    return load;
}

ew_model_load ew_load_own(ew_load_function own, void *user, size_t bytes)
{
    ew_model_load load = {
        .kind = EW_LOAD_OWN, .set = -1, .own = own, .user = user, .user_bytes = bytes};
    return load;
}
