"""What the installed package does. Run by python/tests/wheel.rs, in a clean environment."""

import array
import ctypes
import inspect
import os
import signal
import threading
import time
import unittest

import raddle

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"

AXPY = HEAD + """
.visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    ld.param.f32 %f1, [a];
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    ld.global.f32 %f3, [%rd5];
    fma.rn.f32 %f3, %f1, %f2, %f3;
    st.global.f32 [%rd5], %f3;
DONE:
    ret;
}
"""

USES = HEAD + """
.extern .func (.param .b32 r) f(.param .b32 a);
.visible .entry k(.param .u64 p)
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<3>;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [%rd1];
    {
        .param .b32 a;
        .param .b32 r;
        st.param.b32 [a], %r1;
        call (r), f, (a);
        ld.param.b32 %r2, [r];
    }
    st.global.u32 [%rd1], %r2;
    ret;
}
"""

DEFINES = HEAD + """
.visible .func (.param .b32 r) f(.param .b32 a)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [a];
    add.s32 %r2, %r1, 5;
    st.param.b32 [r], %r2;
    ret;
}
"""


class Package(unittest.TestCase):
    def test_a_kernel_is_compiled_and_run_with_buffers(self):
        for arch in raddle.architectures():
            cubin = raddle.compile(AXPY, arch=arch)
            self.assertEqual((cubin.arch, cubin.kernels[0].name), (arch, "axpy"))
            self.assertEqual(bytes(cubin)[:4], b"\x7fELF")
            x, y = array.array("f", range(100)), array.array("f", [1] * 100)
            raddle.run(cubin, "axpy", 4, 32, [2.0, x, y, 100])
            self.assertEqual(y.tolist(), [1.0 + 2.0 * n for n in range(100)])
            self.assertEqual(x.tolist(), list(range(100)))

    def test_buffers_of_other_kinds_and_numbers_of_other_types(self):
        cubin = raddle.compile(AXPY.encode() + b"\0")
        x = memoryview(bytearray(400)).cast("f", shape=[10, 10])
        x[3, 4] = 5.0
        y = (ctypes.c_float * 100)(*[1.0] * 100)
        raddle.run(bytes(cubin), "axpy", (4, 1), (32, 1, 1), [raddle.f32(3), x.toreadonly(), y, b"\x64\0\0\0"])
        raddle.run(cubin, "axpy", 4, 32, [ctypes.c_float(0), x, y, ctypes.c_uint32(100)])
        self.assertEqual((y[34], y[35]), (16.0, 1.0))

    def test_arguments_that_do_not_fit(self):
        cubin, x = raddle.compile(AXPY), array.array("f", [0])
        for args, error in [
            ([1.0, x, x], TypeError),
            ([1.0, x, x, 1 << 32], OverflowError),
            ([1.0, x, x, -1 << 31], None),
            ([1.0, x, x, object()], TypeError),
        ]:
            if error is None:
                raddle.run(cubin, "axpy", 1, 1, args[:3] + [0])
                continue
            with self.assertRaises(error):
                raddle.run(cubin, "axpy", 1, 1, args)
        with self.assertRaises(ValueError):
            raddle.run(cubin, "other")

    def test_errors_have_places(self):
        with self.assertRaises(raddle.Error) as caught:
            raddle.compile(AXPY.replace("fma.rn", "frob.rn"), arch="sm_90", name="a.ptx")
        found = caught.exception.diagnostics[0]
        self.assertEqual((caught.exception.kind, found.file, found.line, found.severity), ("input", "a.ptx", 26, "error"))
        self.assertIn("frob", str(caught.exception))
        with self.assertRaises(ValueError):
            raddle.compile(AXPY, arch="sm_20")
        with self.assertRaises(ValueError):
            raddle.compile(AXPY, opt_level=4)
        self.assertEqual(raddle.check(AXPY), [])
        with self.assertRaises(raddle.Error):
            raddle.check("hello")

    def test_a_stray_access_names_instruction_and_thread(self):
        x = array.array("f", [0] * 10)
        with self.assertRaises(raddle.RunError) as caught:
            raddle.run(raddle.compile(AXPY), "axpy", 1, 32, [1.0, x, x, 11])
        self.assertIn("out of bounds", caught.exception.message)
        self.assertTrue(caught.exception.place.startswith("axpy+0x"))
        self.assertIn("thread", caught.exception.thread)

    def test_races_are_errors_or_told(self):
        cubin = raddle.compile(HEAD + """
            .visible .entry k(.param .u64 p)
            {
                .reg .b64 %rd<2>;
                .reg .b32 %r<2>;
                ld.param.u64 %rd1, [p];
                mov.u32 %r1, %ctaid.x;
                st.global.u32 [%rd1], %r1;
                ret;
            }""")
        self.assertEqual(raddle.parameter_sizes(cubin, "k"), [8])
        self.assertIsNone(raddle.parameter_sizes(cubin, "l"))
        data = bytearray(4)
        self.assertEqual(raddle.run(cubin, "k", args=[data]), [])
        with self.assertRaises(raddle.RunError) as caught:
            raddle.run(cubin, "k", 2, args=[data])
        self.assertIn("race", caught.exception.message)
        self.assertIn("race", raddle.run(cubin, "k", 2, args=[data], races="warn")[0])
        with self.assertRaises(ValueError):
            raddle.run(cubin, "k", 2, args=[data], races="off")

    def test_ptx_and_objects_are_linked(self):
        for inputs in [
            [("uses.ptx", USES), DEFINES],
            [raddle.compile(USES, relocatable=True), ("d", raddle.compile(DEFINES, relocatable=True))],
        ]:
            data = bytearray(b"\x25\0\0\0")
            raddle.run(raddle.link(inputs, arch="sm_80"), "k", args=[data])
            self.assertEqual(data, b"\x2a\0\0\0")
        with self.assertRaises(raddle.Error) as caught:
            raddle.link([USES], arch="sm_80")
        self.assertIn("undefined symbol f", str(caught.exception))

    def test_other_threads_run_while_one_compiles(self):
        many = AXPY.split(".visible", 1)
        text = many[0] + "".join((".visible" + many[1]).replace("axpy", f"axpy_{i}") for i in range(200))
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.0005)

        counter = threading.Thread(target=count)
        counter.start()
        time.sleep(0.01)
        begun, before = time.monotonic(), counted[0]
        raddle.compile(text)
        took, after = time.monotonic() - begun, counted[0]
        done.set()
        counter.join()
        # With the lock held it would not count at all.
        self.assertGreater(after - before, 2, f"in {took} s")

    def test_threads_compile_at_once(self):
        wanted, results = bytes(raddle.compile(AXPY)), []
        threads = [threading.Thread(target=lambda: results.append(bytes(raddle.compile(AXPY)))) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [wanted] * 16)

    def test_an_interrupt_cancels(self):
        kernel = ".visible .entry k%d()\n{\n.reg .b32 %%r<9>;\n" + "add.u32 %%r1, %%r2, %%r3;\n" * 200 + "ret;\n}\n"
        ptx = HEAD + "".join(kernel % n for n in range(4000))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            raddle.compile(ptx)
            raddle.compile(ptx)
        raddle.compile(AXPY)

    def test_the_stubs_have_every_name_and_parameter(self):
        path = os.path.join(os.path.dirname(raddle.__file__), "__init__.pyi")
        with open(path) as file:
            text = file.read()
        for name in raddle.__all__:
            thing = getattr(raddle, name)
            if inspect.isfunction(thing):
                stub = text.split(f"def {name}(")[1].split(") ->")[0]
                for parameter in inspect.signature(thing).parameters:
                    self.assertIn(parameter, stub, name)
            else:
                self.assertIn(f"class {name}", text)
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), "py.typed")))


if __name__ == "__main__":
    unittest.main()
