import { Refused } from '#kit/server/base/refused.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { WvpRejectedError } from './wvp.client.ts'

const SAYS: Record<string, string> = {
  video_login_failed: defineSystemText({ zh: '登录失败', en: 'Sign-in failed' }),
  video_away: defineSystemText({ zh: '没有应答', en: 'Not responding' }),
}
const OTHER_TROUBLE = defineSystemText({ zh: '出错了', en: 'Error' })

/** Returns the sentence stored with an account when its platform failed. */
export const videoPlatformErrorText = (error: unknown): string =>
  error instanceof WvpRejectedError
    ? `${error.code} ${error.message}`.slice(0, 300)
    : ((error instanceof Refused ? SAYS[error.code] : undefined) ?? OTHER_TROUBLE)
