//! OpenCL C to kernel IR, through clang and LLVM.
