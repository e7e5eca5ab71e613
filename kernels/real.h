/* Definitions by which one text is valid C11 and OpenCL C 1.2: the scalar type of a kernel
 * (EW_REAL, set by -DEW_REAL=float or double), whether double exists at all, and the pragma without
 * which the device contracts a * b + c and its bits leave the host's (built with
 * -ffp-contract=off). */
#ifndef EW_REAL_H
#define EW_REAL_H

#ifndef EW_REAL
#define EW_REAL double
#endif

#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define EW_HAS_DOUBLE 1
#else
#define EW_HAS_DOUBLE 0
#endif
#else
#define EW_HAS_DOUBLE 1
#endif

#endif
