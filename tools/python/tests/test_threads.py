"""Threads, interrupts, callbacks and forks."""
import os
import signal
import threading
import time
import unittest

import numpy as np
from common import Pinned, beam, same

import edgewise as ew


class Threads(Pinned):
    def test_models_in_threads_give_the_same_bits(self):
        alone = beam((40, 4, 4))
        alone.solve()
        found, failures = [], []

        def work():
            try:
                model = beam((40, 4, 4))
                for _ in range(3):
                    model.solve()
                model.close()
                model = beam((40, 4, 4))
                model.solve()
                found.append(model.displacement)
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(failures, [])
        for u in found:
            self.assertTrue(same(u, alone.displacement))

    def test_one_model_in_threads(self):
        model = beam()
        failures = []

        def work(k):
            try:
                for i in range(10):
                    with model.edit() as e:
                        e.move_vertices(lambda x: x[:, 0] > 1 - 1e-9, by=(0, 0, 1e-6 * (k + 1)))
                    model.solve()
                    u = model.displacement
                    total = u.sum()
                    time.sleep(0)
                    if u.sum() != total:
                        failures.append("an array changed")
            except ew.Stale:
                pass  # another thread edited between solve and question
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(failures, [])
        self.assertEqual(model.verify()["different"], 0)

    def test_the_interpreter_runs_during_a_solve(self):
        model = beam((100, 10, 10))
        ticks, done = [0], threading.Event()

        def count():
            while not done.is_set():
                ticks[0] += 1
                time.sleep(0.0005)

        counter = threading.Thread(target=count)
        counter.start()
        before = ticks[0]
        try:
            model.solve(tolerance=1e-12, preconditioner="jacobi", max_iterations=100000)
            after = ticks[0]
        finally:
            done.set()
            counter.join()
        self.assertGreater(after - before, 5)

    def test_callbacks_stop(self):
        model = beam((60, 6, 6))
        model.solve()
        u = model.displacement
        seen = []
        options = dict(tolerance=1e-13, preconditioner="jacobi", max_iterations=1000000)

        def stop(stage, done):
            seen.append((stage, done))
            return False

        model.set_displacement(np.zeros_like(u))
        with self.assertRaises(ew.Canceled):
            model.solve(progress=stop, **options)
        self.assertEqual(len(seen), 1)
        model.set_displacement(np.zeros_like(u))
        with self.assertRaisesRegex(KeyError, "mine"):
            model.solve(progress=lambda stage, done: {}["mine"], **options)
        model.solve()
        np.testing.assert_allclose(model.displacement, u, atol=1e-6 * abs(u).max())

    def test_interrupts_stop(self):
        model = beam((100, 10, 10))
        timer = threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT))
        begin = time.monotonic()
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                for _ in range(1000):
                    model.set_displacement(np.zeros((len(model.points), 3)))
                    model.solve(tolerance=1e-14, preconditioner="jacobi", max_iterations=10000000)
        finally:
            timer.cancel()
        self.assertLess(time.monotonic() - begin, 5)
        model.solve()

    def test_exceptions_between_load_steps(self):
        model = beam()
        model.kinematics = "corotational"
        steps = []
        model.solve_nonlinear(steps=3, on_step=lambda info: steps.append(info.load_factor))
        np.testing.assert_allclose(steps, [1 / 3, 2 / 3, 1])
        model.loads = ew.TotalForce("tip", (0, 0, -2000))
        with self.assertRaises(ZeroDivisionError):
            model.solve_nonlinear(steps=3, on_step=lambda info: 1 / 0)
        with self.assertRaises(ew.Canceled):
            model.solve_nonlinear(steps=3, on_step=lambda info: False)
        model.loads = ew.Forces(lambda x: {}["load"])
        with self.assertRaisesRegex(KeyError, "load"):
            model.solve_nonlinear()

    def test_forks(self):
        model = beam((40, 6, 6))
        model.solve()
        parent = model.displacement
        receive, send = os.pipe()
        child = os.fork()
        if not child:
            code = 1
            try:
                model.set_displacement(np.zeros_like(parent))
                model.solve()
                again = beam((40, 6, 6))
                again.solve()
                code = 0 if same(again.displacement, parent) and ew.threads() == 1 else 2
            finally:
                os.write(send, bytes([code]))
                os._exit(code)
        os.close(send)
        self.assertEqual(os.read(receive, 1), b"\0")
        os.close(receive)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        model.solve()


if __name__ == "__main__":
    unittest.main()
