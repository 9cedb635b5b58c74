/** Encodes one sample of 16 bits as A-law (G.711), which cameras play. */
export function encodeCameraALawSample(sample: number): number {
  const mask = sample >= 0 ? 0xd5 : 0x55
  const value = sample >= 0 ? sample >> 3 : -(sample >> 3) - 1
  let segment = 0
  while (segment < 8 && value > (0x20 << segment) - 1) segment++
  if (segment === 8) return 0x7f ^ mask
  return ((segment << 4) | ((value >> Math.max(1, segment)) & 0xf)) ^ mask
}
