import { createHash } from 'node:crypto'
import { BAD_CHECKSUM, BAD_PARAMETERS, BUSY, DONE, NOT_DOWNLOADED } from './protocol.ts'
import type { Answer, Body, DevicePayload, Method } from './protocol.ts'

type Played = { url: string; sha256: string; volume: number; times: number; bytes: number; at: number }
/** Downloads at most `bytesMax` bytes; undefined when there is no valid answer. */
export type Download = (url: string, bytesMax: number) => Promise<Uint8Array | undefined>

const BYTES_MAX = 20_000_000
const TIMES_MAX = 100
const KEPT = 50
/** Duration of a sound whose header does not tell it. */
const USUAL_MS = 1_000

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export const download: Download = async (url, bytesMax) => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) })
    if (!response.ok || !response.body) return undefined
    const parts: Uint8Array[] = []
    let length = 0
    for await (const part of response.body) {
      parts.push(part)
      length += part.length
      if (length > bytesMax) return undefined
    }
    return Buffer.concat(parts)
  } catch {
    return undefined
  }
}

/** Simulates a loudspeaker that plays one sound at a time. */
export function createSpeaker(body: Body, fetchBytes: Download) {
  const played: Played[] = []
  let isBusy = false

  async function play(params: Played, end: (answer: Answer) => void): Promise<void> {
    const bytes = await fetchBytes(params.url, BYTES_MAX)
    if (!bytes || sha256Of(bytes) !== params.sha256) {
      isBusy = false
      return end({ code: bytes ? BAD_CHECKSUM : NOT_DOWNLOADED })
    }
    body.clock.after(lengthMs(bytes) * params.times, () => {
      isBusy = false
      played.push({ ...params, bytes: bytes.length, at: body.clock.now() })
      if (played.length > KEPT) played.shift()
      body.act('audio.played', { sha256: params.sha256, times: params.times, volume: params.volume })
      end({ code: DONE })
    })
  }

  return {
    played: played as readonly Played[],
    state: () => (isBusy ? 'playing' : 'idle'),
    powerCut: () => void (isBusy = false),
    methods: {
      'audio.play': ({ url, sha256, volume = 100, times = 1 }: DevicePayload) => {
        if (typeof url !== 'string' || typeof sha256 !== 'string') return { code: BAD_PARAMETERS }
        if (!isWithin(volume, 0, 100) || !isWithin(times, 1, TIMES_MAX)) return { code: BAD_PARAMETERS }
        if (isBusy) return { code: BUSY }
        return (end) => {
          isBusy = true
          void play({ url, sha256, volume, times, bytes: 0, at: 0 }, end)
        }
      },
    } satisfies Record<string, Method>,
  }
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max
}

/** Returns the duration of a WAV file from its bytes per second. */
function lengthMs(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < 44 || file.toString('latin1', 8, 12) !== 'WAVE') return USUAL_MS
  return ((file.length - 44) / Math.max(file.readUInt32LE(28), 1)) * 1_000
}
