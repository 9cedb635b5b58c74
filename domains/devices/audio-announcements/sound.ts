import { setImmediate } from 'node:timers/promises'

/** Sound as samples from -1 to 1, one channel. */
export type SampledSound = { samples: Float32Array; rate: number }

/** Thrown when a file is not a WAV file this module can read. */
export class UnreadableSoundError extends Error {}

const PCM = 1
const A_LAW = 6
const EXTENSIBLE = 0xfffe
/** Longest sound accepted, in seconds: no announcement is longer, and the work grows with the length. */
const SECONDS_MAX = 180

/** Reads a PCM WAV file of 8 or 16 bits. A length field larger than the file, as streams have, is cut to the file. */
export function readWav(file: Buffer): SampledSound {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw new UnreadableSoundError('no WAV file')
  let format: { channels: number; rate: number; bits: number } | undefined
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4)
    const start = at + 8
    const end = Math.min(file.length, start + file.readUInt32LE(at + 4))
    if (name === 'fmt ' && end - start >= 16) {
      const coding = file.readUInt16LE(start)
      if (coding !== PCM && coding !== EXTENSIBLE) throw new UnreadableSoundError(`coding ${coding}`)
      format = {
        channels: file.readUInt16LE(start + 2),
        rate: file.readUInt32LE(start + 4),
        bits: file.readUInt16LE(start + 14),
      }
    }
    if (name === 'data' && format) return samplesOf(file.subarray(start, end), format)
    at = end + ((end - start) % 2)
  }
  throw new UnreadableSoundError('no samples')
}

type Format = { channels: number; rate: number; bits: number }

function samplesOf(data: Buffer, { channels, rate, bits }: Format): SampledSound {
  if (!channels || channels > 8 || rate < 4_000 || rate > 192_000 || (bits !== 8 && bits !== 16))
    throw new UnreadableSoundError(`${channels} channels, ${rate} Hz, ${bits} bits`)
  const bytes = bits / 8
  if (data.length / bytes / channels / rate > SECONDS_MAX)
    throw new UnreadableSoundError(`longer than ${SECONDS_MAX} s`)
  const samples = new Float32Array(Math.floor(data.length / bytes / channels))
  for (let n = 0; n < samples.length; n++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) {
      const at = (n * channels + channel) * bytes
      sum += bits === 16 ? data.readInt16LE(at) / 32_768 : (data[at]! - 128) / 128
    }
    samples[n] = sum / channels
  }
  return { samples, rate }
}

/** Joins sounds at the sample rate of the first, with a pause between them. */
export async function joinSounds(sounds: readonly SampledSound[], pauseMs: number): Promise<SampledSound> {
  const { rate } = sounds[0]!
  const parts: Float32Array[] = []
  for (const sound of sounds) parts.push((await resampleSound(sound, rate)).samples)
  const pause = Math.round((rate * pauseMs) / 1000)
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length + pause, -pause))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length + pause
  }
  return { samples, rate }
}

/** How many input samples on each side contribute to one output sample. */
const REACH = 16
/** How many positions between two samples the kernel is tabulated for. */
const PLACES = 256

/** Output samples computed at a time, some milliseconds of work, before other tasks of the process get their turn. */
const AT_ONCE = 4_096

/** Resamples to another rate. A low-pass filter removes what the new rate cannot represent, which would alias. */
export async function resampleSound({ samples, rate }: SampledSound, to: number): Promise<SampledSound> {
  if (rate === to) return { samples, rate }
  const step = rate / to
  const cut = Math.min(1, to / rate) * 0.95
  const reach = Math.ceil(REACH / cut)
  const kernel = kernelOf(cut, reach)
  const next = new Float32Array(Math.round(samples.length / step))
  for (let n = 0; n < next.length; n++) {
    if (n % AT_ONCE === 0) await setImmediate()
    const centre = n * step
    const last = Math.min(samples.length - 1, Math.floor(centre + reach))
    let sum = 0
    for (let k = Math.max(0, Math.ceil(centre - reach)); k <= last; k++)
      sum += samples[k]! * kernel[Math.round(Math.abs(k - centre) * PLACES)]!
    next[n] = sum
  }
  return { samples: next, rate: to }
}

/** Tabulates one half of the resampling kernel: a sinc under a Hann window. */
function kernelOf(cut: number, reach: number): Float32Array {
  const kernel = new Float32Array(reach * PLACES + 1)
  for (let place = 0; place < kernel.length; place++) {
    const x = place / PLACES
    const angle = Math.PI * cut * x
    kernel[place] = cut * (place ? Math.sin(angle) / angle : 1) * (0.5 + 0.5 * Math.cos((Math.PI * x) / reach))
  }
  return kernel
}

/** Peak level of normalised sounds, 3 dB below full scale. */
const PEAK = 10 ** (-3 / 20)

/** Scales a sound so that its peak is 3 dB below full scale, and voices of different engines are equally loud. */
export function normaliseSoundVolume({ samples, rate }: SampledSound): SampledSound {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  return peak ? { samples: samples.map((sample) => (sample * PEAK) / peak), rate } : { samples, rate }
}

const whole = (sample: number) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767)))

/** Encodes a WAV file of 16 bits, which browsers and gateways play. */
export function encodeWav({ samples, rate }: SampledSound): Buffer {
  const data = Buffer.alloc(samples.length * 2)
  for (let n = 0; n < samples.length; n++) data.writeInt16LE(whole(samples[n]!), n * 2)
  return wavFile(data, { coding: PCM, rate, bits: 16 })
}

/** Encodes a WAV file in A-law (G.711), one byte a sample, which cameras play. */
export function encodeALawWav({ samples, rate }: SampledSound): Buffer {
  const data = Buffer.alloc(samples.length)
  samples.forEach((sample, n) => (data[n] = encodeALawSample(whole(sample))))
  return wavFile(data, { coding: A_LAW, rate, bits: 8 })
}

function wavFile(data: Buffer, { coding, rate, bits }: { coding: number; rate: number; bits: number }): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(coding, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE((rate * bits) / 8, 28)
  head.writeUInt16LE(bits / 8, 32)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** Encodes one sample of 16 bits as A-law (G.711). */
export function encodeALawSample(sample: number): number {
  const mask = sample >= 0 ? 0xd5 : 0x55
  const value = sample >= 0 ? sample >> 3 : -(sample >> 3) - 1
  let segment = 0
  while (segment < 8 && value > (0x20 << segment) - 1) segment++
  if (segment === 8) return 0x7f ^ mask
  return ((segment << 4) | ((value >> Math.max(1, segment)) & 0xf)) ^ mask
}
