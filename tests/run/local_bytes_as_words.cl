// Hexadecimal digits are written to local memory byte by byte, neighbours by
// different work-items, and read back as words; half of them as pairs.
//
// launch: -k digits -g 48 -l 16 -a rand:48:2351 -a zero:24 -a zero:3
// expect 1: 942881075 1714435635 858929507 1680892469 892678201 1664365623 1634087735 946157367 1664103985 912666721
// expect 1: 825254758 1684091696 892429921 959525942 926508592 1650602294 943207992 1647522661 1630941284 879059509
// expect 1: 895902818 845571384 1650733410 825451110
// expect 2: 35387 36423 41677
// launch: -k digits -g 8 -l 2 -a rand:8:2352 -a zero:4 -a zero:4
// expect 1: 926232626 895902051 845297202 1667457336
// expect 2: 525 811 652 943
// launch: -k digits -g 126 -l 126 -a rand:126:2353 -a zero:63 -a zero:1
// expect 1: 892940340 1647392055 1697920311 959919414 859071078 828596535 1633772645 895629153 808989234 828793905
// expect 1: 1650549606 1684093241 909129269 1681154405 1630548018 1715025761 1681482290 858927153 895836466 825700405
// expect 1: 1634022455 1647325745 825439281 892363571 892547682 812016997 1664430385 811874659 809056309 845558581
// expect 1: 929456695 942749795 842229048 962998326 859255864 929313634 926180912 926232880 909127782 1631019832
// expect 1: 962736693 912352867 942682980 1650667876 1647469669 1698115890 942826807 892942436 1698194489 825373282
// expect 1: 925970738 828453475 1631085157 892481843 1697986617 1714643507 926234937 876098661 926049847 811874660
// expect 1: 842020146 842556471 1681142841
// expect 2: 2149964

__constant char digit[] = "0123456789abcdef";

__kernel void digits(__global const uchar *in, __global uint *out, __global uint *checksum)
{
    __local uchar text[256] __attribute__((aligned(16)));
    __local ushort pairs[128];
    const uint l = get_local_id(0), n = get_local_size(0), bytes = 2 * n;
    const uchar v = in[get_global_id(0)];
    text[bytes - 1 - l * 2] = digit[v >> 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    text[bytes - 2 - l * 2] = digit[v & 15];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const uint *words = (__local const uint *)text;
    for (uint i = l; i < bytes / 4; i += n)
        out[get_group_id(0) * (bytes / 4) + i] = words[i];
    pairs[l] = ((__local const ushort *)text)[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        uint sum = 0;
        __local const uchar *half_words = (__local const uchar *)pairs;
        for (uint i = 0; i < bytes; i++)
            sum += half_words[i] * (i + 1);
        checksum[get_group_id(0)] = sum;
    }
}
