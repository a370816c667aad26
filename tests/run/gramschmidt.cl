// Modified Gram-Schmidt by one group: a reduction in local memory for the
// norm, then each work-item orthogonalises its column. Double precision.
//
// launch: -k gramschmidt -g 4 -l 4 -a rand:24:521:-1:1 -a zero:16 -a zero:24
// expect 0: -0.9402540820542942 -0.1571173389240098 -0.41296973773891793 0.10893261501802631 0.5633339131333339
// expect 0: -0.5614916693463153 -0.1603185045395567 0.008845167598565795 -0.4543326994970551 -0.7973345573604851
// expect 0: 1.1123172742286294 -0.018294364260124873 0.9692775007018823 -0.3836112936151689 0.10204072339584863
// expect 0: 0.028735704276736204 0.012379080773666562 -0.9354907323732371 -0.33108087024757643 0.2358923709470107
// expect 0: 0.2151479309541109 0.8818501231499165 0.5232268687260756 0.2712404556676025
// expect 1: 1.5471851167651798 -0.47638771801218094 0.2582612684890029 0.11887119620855205 0 1.666031609526649
// expect 1: 0.6679834214067297 0.36411866397638804 0 0 1.3517725229361977 1.0989120346902903 0 0 0 0.3772553134552848
// expect 2: -0.6077191874881505 -0.09430633730211746 -0.3055023909214418 0.28875037973703144 0.36410246390628415
// expect 2: -0.3370234190849751 -0.11859873005210032 0.023446104754768927 -0.2936511569132489 -0.4785830909817029
// expect 2: 0.8228583251659493 -0.048493324302225534 0.6264780407973586 -0.23025451103185257 0.07548660863013033
// expect 2: 0.07617044280581665 0.008001034032403613 -0.561508393372577 -0.24492350941446317 0.6252857482283559
// expect 2: 0.13905765290965144 0.5293117598173703 0.38706724678022725 0.7189837915954285

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define M 6
#define N 4
__kernel void gramschmidt(__global double *A, __global double *R, __global double *Q)
{
    __local double partial[N];
    int j = get_local_id(0);
    for (int k = 0; k < N; k++) {
        double s = 0;
        for (int i = j; i < M; i += N)
            s += A[i * N + k] * A[i * N + k];
        partial[j] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int half_n = N / 2; half_n > 0; half_n /= 2) {
            if (j < half_n)
                partial[j] += partial[j + half_n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        double norm = sqrt(partial[0]);
        for (int i = j; i < M; i += N)
            Q[i * N + k] = A[i * N + k] / norm;
        if (j == k)
            R[k * N + k] = norm;
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (j > k) {
            double r = 0;
            for (int i = 0; i < M; i++)
                r += Q[i * N + k] * A[i * N + j];
            R[k * N + j] = r;
            for (int i = 0; i < M; i++)
                A[i * N + j] -= Q[i * N + k] * r;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
