import { Refused } from '#kit/server/refused.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { WvpRefused } from './wvp.client.ts'

const SAYS: Record<string, string> = {
  video_login_failed: systemWords({ zh: '登录失败', en: 'It does not let us in' }),
  video_away: systemWords({ zh: '没有应答', en: 'It does not answer' }),
}
const ODD = systemWords({ zh: '出错了', en: 'Something went wrong' })

/** Why a platform did not do something, as its row says it. */
export const troubleOf = (error: unknown): string =>
  error instanceof WvpRefused
    ? `${error.code} ${error.message}`.slice(0, 300)
    : ((error instanceof Refused ? SAYS[error.code] : undefined) ?? ODD)
