import { Refused } from '#kit/server/refused.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { WvpRefused } from './wvp.client.ts'

const SAYS: Record<string, string> = {
  video_login_failed: systemWords({ zh: '登录失败', en: 'Sign-in failed' }),
  video_away: systemWords({ zh: '没有应答', en: 'Not responding' }),
}
const ODD = systemWords({ zh: '出错了', en: 'Error' })

/** Why a platform did not do something, as its row says it. */
export const troubleOf = (error: unknown): string =>
  error instanceof WvpRefused
    ? `${error.code} ${error.message}`.slice(0, 300)
    : ((error instanceof Refused ? SAYS[error.code] : undefined) ?? ODD)
