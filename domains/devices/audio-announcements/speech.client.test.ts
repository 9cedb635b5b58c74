import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  speechAccount,
  startSpeechSimulator,
  troubleWords,
  type SpeechSimulator,
} from '#simulators/speech/speech.simulator.ts'
import {
  encodeALawSample,
  encodeALawWav,
  normaliseSoundVolume,
  readWav,
  resampleSound,
  encodeWav,
  type SampledSound,
} from './sound.ts'
import { isLocalSpeechInstalled } from './speech-local.client.ts'
import { SpeechRejectedError } from './speech-refused.ts'
import { SpeechEngineUnavailableError, splitTextForSpeech, speak, type SpeechEngineConfig } from './speech.client.ts'

let simulator: SpeechSimulator
beforeAll(async () => {
  simulator = await startSpeechSimulator()
})
afterAll(() => simulator.close())

const engine = (
  category: SpeechEngineConfig['category'],
  more: Partial<SpeechEngineConfig> = {},
): SpeechEngineConfig => ({
  category,
  ...speechAccount,
  region: '',
  endpoint: simulator.url,
  mayBeInside: true,
  voices: {},
  ...more,
})
const synthesize = (config: SpeechEngineConfig, text: string, timeoutMs = 5_000) =>
  speak(config, { text, voice: 'female', speed: 1.2, pitch: 1 }, timeoutMs)

describe.each(['aliyun', 'tencent', 'azure'] as const)('%s', (category) => {
  it('speaks a text in the voice and at the speed asked for, also one with signs of its own', async () => {
    const { samples, rate } = await synthesize(engine(category, { voices: { female: '7' } }), '请付款 & <离店>')
    expect([samples.length > 0, rate]).toEqual([true, 16_000])
    const { text, voice, speed } = simulator.spoken.at(-1)!
    expect([text.replace(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code))), voice]).toEqual([
      '请付款 & <离店>',
      '7',
    ])
    expect(speed).toBe({ aliyun: '132', tencent: '1', azure: '+20%' }[category])
  })

  it('refuses a wrong secret and words it does not take, each in its words, and nothing is spoken', async () => {
    const before = simulator.spoken.length
    await expect(synthesize(engine(category, { secretKey: 'wrong', accessKey: 'wrong' }), '您好')).rejects.toThrow(
      SpeechRejectedError,
    )
    await expect(synthesize(engine(category, { secretKey: 'wrong' }), '您好')).rejects.toThrow(SpeechRejectedError)
    await expect(synthesize(engine(category), troubleWords.refused)).rejects.toThrow(SpeechRejectedError)
    expect(simulator.spoken).toHaveLength(before)
  })

  it('that is busy, silent or away has not refused: it may be asked again', async () => {
    await expect(synthesize(engine(category), troubleWords.busy)).rejects.toThrow(SpeechEngineUnavailableError)
    await expect(synthesize(engine(category), troubleWords.noAnswer, 300)).rejects.toThrow(SpeechEngineUnavailableError)
    await expect(synthesize(engine(category, { endpoint: 'http://127.0.0.1:9' }), '您好')).rejects.toThrow(
      SpeechEngineUnavailableError,
    )
  })

  it('that answers something that is no sound is refused', async () => {
    await expect(synthesize(engine(category), troubleWords.broken)).rejects.toMatchObject({ code: 'no_sound' })
  })

  it('named by a tenant is not called inside', async () => {
    await expect(synthesize(engine(category, { mayBeInside: false }), '您好')).rejects.toThrow(
      SpeechEngineUnavailableError,
    )
  })
})

it('a long text is spoken in parts of whole sentences, in order, with a breath between them', async () => {
  const sentence = '本店二十四小时营业，欢迎光临。'
  const text = sentence.repeat(12)
  const before = simulator.spoken.length
  const { samples } = await synthesize(engine('tencent'), text)
  const parts = simulator.spoken.slice(before).map((one) => one.text)
  expect(parts).toEqual([sentence.repeat(10), sentence.repeat(2)])
  expect(samples.length).toBe((Array.from(text).length * 0.05 + 0.2) * 16_000)
  expect(splitTextForSpeech('一二三四五六七八九十', 4)).toEqual(['一二三四', '五六七八', '九十'])
  expect(splitTextForSpeech('没有句号', 300)).toEqual(['没有句号'])
})

describe('the program beside the server', () => {
  const path = process.env.PATH
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espeak-'))
    process.env.PATH = folder
  })
  afterAll(async () => {
    process.env.PATH = path
    await rm(folder, { recursive: true })
  })

  it('that is not installed is known not to be there, and refuses', async () => {
    expect(await isLocalSpeechInstalled()).toBe(false)
    await expect(synthesize(engine('local'), '您好')).rejects.toMatchObject({ code: 'not_installed' })
  })

  it('is given the words by its standard input, never as an option, and its sound is taken', async () => {
    const sound = encodeWav({ samples: new Float32Array(2_205).fill(0.5), rate: 22_050 })
    await writeFile(join(folder, 'sound.wav'), sound)
    await writeFile(
      join(folder, 'espeak-ng'),
      `#!${process.execPath}\nconst fs = require('node:fs')\n` +
        `if (!process.argv.includes('--version')) {\n` +
        `fs.writeFileSync(${JSON.stringify(join(folder, 'asked'))}, process.argv.slice(2).join(' ') + '|' + ` +
        `fs.readFileSync(0, 'utf8'))\n` +
        `process.stdout.write(fs.readFileSync(${JSON.stringify(join(folder, 'sound.wav'))}))\n}\n`,
    )
    await chmod(join(folder, 'espeak-ng'), 0o755)
    expect(await isLocalSpeechInstalled()).toBe(true)
    const { samples, rate } = await synthesize(engine('local'), '--help 您好')
    expect([samples.length, rate]).toEqual([2_205, 22_050])
    expect(await readFile(join(folder, 'asked'), 'utf8')).toBe(
      '-v cmn+f3 -s 210 -p 50 -b 1 --stdin --stdout|--help 您好',
    )
  })
})

describe('a sound', () => {
  const tone = (hertz: number, rate: number, seconds = 1): SampledSound => ({
    samples: Float32Array.from(
      { length: rate * seconds },
      (_none, n) => 0.8 * Math.sin((2 * Math.PI * hertz * n) / rate),
    ),
    rate,
  })
  const loudness = ({ samples }: SampledSound) =>
    Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

  it('keeps its tone at another rate, and loses what that rate cannot carry instead of mirroring it', async () => {
    const low = await resampleSound(tone(1_000, 22_050), 8_000)
    expect(low.samples).toHaveLength(8_000)
    expect(loudness(low)).toBeCloseTo(loudness(tone(1_000, 8_000)), 1)
    expect(loudness(await resampleSound(tone(6_000, 22_050), 8_000))).toBeLessThan(0.01)
  })

  it('of minutes holds nobody up while it is brought to another rate', async () => {
    let turns = 0
    const clock = setInterval(() => turns++, 1)
    await resampleSound({ samples: new Float32Array(4_000 * 60), rate: 4_000 }, 16_000)
    clearInterval(clock)
    expect(turns).toBeGreaterThan(20)
  })

  it('is read back from its file as it was, and is 3 dB below the loudest there is', () => {
    const even = normaliseSoundVolume({ samples: Float32Array.of(0, 0.1, -0.2), rate: 16_000 })
    expect(even.samples[2]).toBeCloseTo(-0.708, 3)
    const read = readWav(encodeWav(even))
    expect(read.rate).toBe(16_000)
    read.samples.forEach((sample, n) => expect(sample).toBeCloseTo(even.samples[n]!, 3))
    expect(normaliseSoundVolume({ samples: new Float32Array(3), rate: 8_000 }).samples).toEqual(new Float32Array(3))
  })

  it.each([
    [0, 0xd5],
    [1, 0xd5],
    [-1, 0x55],
    [1_000, 0xfa],
    [-1_000, 0x7a],
    [32_767, 0xaa],
    [-32_768, 0x2a],
  ])('of %i is %i in A-law', (sample, byte) => {
    expect(encodeALawSample(sample)).toBe(byte)
  })

  it('in A-law is a file cameras know: one byte a sample at 8,000 a second', () => {
    const file = encodeALawWav(tone(440, 8_000))
    expect([file.length, file.readUInt16LE(20), file.readUInt32LE(24), file.readUInt32LE(28)]).toEqual([
      8_044, 6, 8_000, 8_000,
    ])
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('GIF89a and more of it, long enough for a head of a file ......')],
    ['longer than any announcement', encodeWav({ samples: new Float32Array(4_000 * 200), rate: 4_000 })],
    ['a head without samples', encodeWav({ samples: new Float32Array(4), rate: 8_000 }).subarray(0, 36)],
  ])('that is %s is none', (_what, bytes) => {
    expect(() => readWav(bytes)).toThrow()
  })
})
