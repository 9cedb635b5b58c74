import { execFile } from 'node:child_process'
import { SpeechRejectedError } from './speech-refused.ts'
import type { SpeechSynthesizer } from './speech.client.ts'

/** Text-to-speech program on the server, used when the operator has installed it. */
const PROGRAM = 'espeak-ng'
/** Words a minute at normal speed. */
const USUAL_SPEED = 175
/** The middle of the program's pitch scale. */
const USUAL_PITCH = 50
const BYTES_MAX = 64 * 1024 * 1024

export const speakLocally: SpeechSynthesizer = (_config, { text, voice, speed, pitch }, timeoutMs) =>
  new Promise((done, fail) => {
    const options = ['-v', voice, '-s', String(Math.round(USUAL_SPEED * speed))]
    options.push('-p', String(Math.max(0, Math.min(99, Math.round(USUAL_PITCH * pitch)))), '-b', '1', '--stdin')
    const child = execFile(
      PROGRAM,
      [...options, '--stdout'],
      { encoding: 'buffer', maxBuffer: BYTES_MAX, timeout: timeoutMs },
      (error, sound) => {
        if (!error) done(sound)
        else if (error.code === 'ENOENT') fail(new SpeechRejectedError('not_installed', `${PROGRAM} is not installed`))
        else if (error.killed) fail(error)
        else fail(new SpeechRejectedError('failed', `${PROGRAM} ended with ${error.code}`))
      },
    )
    // The program may exit before it has read all input. The callback above reports how it ended.
    child.stdin!.on('error', () => {})
    child.stdin!.end(text)
  })

/** Returns whether the program is installed on the server. */
export const isLocalSpeechInstalled = (): Promise<boolean> =>
  new Promise((done) => {
    execFile(PROGRAM, ['--version'], { timeout: 5_000 }, (error) => done(!error))
  })
