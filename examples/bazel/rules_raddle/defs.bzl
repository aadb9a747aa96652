"""Rules that compile and link NVIDIA device code with Raddle.

Each target is one action, or one for each source where there are objects: Bazel caches it, runs it beside others, and where it is
set up for remote execution runs it elsewhere. Outputs depend on inputs and options alone, so that results from a shared cache are
those of a local build.
"""

def _arguments(ctx, command):
    args = ctx.actions.args()
    args.add_all(command)
    args.add("--arch", ctx.attr.arch)

    # Bazel counts an action as one core, and lends no job tokens.
    args.add("-j", ctx.attr.jobs)
    args.add("--no-jobserver")
    return args

def _compile(ctx, sources, out, more):
    args = _arguments(ctx, ["compile"] + more)

    # Records of times would be kept outside of the sandbox.
    args.add("--history", "off")
    args.add_all(ctx.attr.compile_options)
    _run(ctx, args, sources, out, "Compile")

def _run(ctx, args, inputs, out, verb):
    args.add("-o", out)
    args.add_all(inputs)
    ctx.actions.run(
        outputs = [out],
        inputs = inputs,
        executable = ctx.executable._raddle,
        arguments = [args],
        mnemonic = "Raddle" + verb,
        progress_message = "%s %s for %s" % (verb, out.short_path, ctx.attr.arch),
    )

def _objects(ctx):
    out = []
    for source in ctx.files.srcs:
        name = source.basename
        if source.extension:
            name = name[:-len(source.extension) - 1]
        object = ctx.actions.declare_file("%s.objects/%s.o" % (ctx.label.name, name))
        _compile(ctx, [source], object, ["-c"])
        out.append(object)
    return out

def _raddle_objects_impl(ctx):
    return [DefaultInfo(files = depset(_objects(ctx)))]

def _raddle_cubin_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cubin")
    if ctx.attr.deps:
        args = _arguments(ctx, ["link"])
        args.add_all(ctx.attr.link_options)
        _run(ctx, args, _objects(ctx) + ctx.files.deps, out, "Link")
    else:
        _compile(ctx, ctx.files.srcs, out, [])
    return [DefaultInfo(files = depset([out]))]

_ATTRS = {
    "srcs": attr.label_list(
        doc = "PTX, with names that are unique without their suffix.",
        allow_files = [".ptx"],
    ),
    "arch": attr.string(
        doc = "The architecture, such as sm_90.",
        mandatory = True,
    ),
    "compile_options": attr.string_list(doc = "Further options of `raddle compile`."),
    "jobs": attr.int(
        doc = "Kernels that an action compiles at once.",
        default = 1,
    ),
    "_raddle": attr.label(
        default = Label("@raddle//:raddle"),
        allow_single_file = True,
        executable = True,
        cfg = "exec",
    ),
}

raddle_objects = rule(
    implementation = _raddle_objects_impl,
    doc = "Compiles each source to a relocatable object.",
    attrs = _ATTRS,
)

raddle_cubin = rule(
    implementation = _raddle_cubin_impl,
    doc = "Compiles sources to one cubin. With objects in `deps` each source becomes an object, and all are linked.",
    attrs = dict(
        _ATTRS,
        deps = attr.label_list(
            doc = "Objects: targets of `raddle_objects`, or files.",
            allow_files = [".o", ".cubin", ".a"],
        ),
        link_options = attr.string_list(doc = "Further options of `raddle link`, which runs where there are `deps`."),
    ),
)

def _raddle_local_repository_impl(ctx):
    path = ctx.attr.path or ctx.os.environ.get("RADDLE")
    path = ctx.path(path) if path else ctx.which("raddle")
    if not path:
        fail("no raddle: set `path`, the environment variable RADDLE, or put it into PATH")
    ctx.symlink(path, "raddle")
    ctx.file("BUILD.bazel", 'exports_files(["raddle"], visibility = ["//visibility:public"])\n')

raddle_local_repository = repository_rule(
    implementation = _raddle_local_repository_impl,
    doc = "The raddle of this machine. The file is an input of each action: another one builds everything again.",
    attrs = {"path": attr.string(doc = "The program; by default $RADDLE, or the one in PATH.")},
    environ = ["RADDLE", "PATH"],
    local = True,
)
