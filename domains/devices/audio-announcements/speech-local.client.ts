import { execFile } from 'node:child_process'
import { SpeechRejectedError } from './speech-refused.ts'
import type { SpeechSynthesizer } from './speech.client.ts'

/** A program of its own beside the server, used when whoever runs the server has installed it. */
const PROGRAM = 'espeak-ng'
/** Words a minute at the usual speed, and the middle of its scale of pitch. */
const USUAL_SPEED = 175
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
    // It may be gone before it has read everything; how it ended is told above.
    child.stdin!.on('error', () => {})
    child.stdin!.end(text)
  })

/** Whether the program is there. */
export const isLocalSpeechInstalled = (): Promise<boolean> =>
  new Promise((done) => {
    execFile(PROGRAM, ['--version'], { timeout: 5_000 }, (error) => done(!error))
  })
