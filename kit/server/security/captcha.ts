import { randomUUID } from 'node:crypto'
import svgCaptcha from 'svg-captcha'
import { defineGlobalSharedKey, type SharedStore } from '../shared/index.ts'

const seconds = 30 * 60
const entryKey = defineGlobalSharedKey('captcha', 'drawn before anybody signs in, under a number of our own')

/** Pictures of five letters, each good for one attempt within half an hour, in any process. */
export function createCaptchas(shared: SharedStore) {
  return {
    async draw(): Promise<{ key: string; image: string }> {
      const { text, data } = svgCaptcha.create({
        size: 5,
        width: 130,
        height: 48,
        fontSize: 46,
        noise: 2,
        color: true,
        background: '#ffffff',
        ignoreChars: '0oO1iIlL',
      })
      const key = randomUUID()
      await shared.put(entryKey(key), text.toLowerCase(), seconds)
      return { key, image: `data:image/svg+xml;base64,${Buffer.from(data).toString('base64')}` }
    },
    /** Checks the answer and invalidates the captcha, whether right or wrong. */
    async check(key: string, code: string): Promise<boolean> {
      if (!key || !code) return false
      return (await shared.take(entryKey(key))) === code.trim().toLowerCase()
    },
    /** The text of the picture; for tests. */
    async reveal(key: string): Promise<string | undefined> {
      const text = await shared.read(entryKey(key))
      return typeof text === 'string' ? text : undefined
    },
  }
}

export type Captchas = ReturnType<typeof createCaptchas>
