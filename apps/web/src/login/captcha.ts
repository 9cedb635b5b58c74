import { useCallback, useEffect, useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { webSettings } from '#kit/web/base/settings.ts'

type Captcha = { key: string; image: string; failed: boolean }

/** Fetches a captcha, and a new one when `attempt` changes or the user asks for another. */
export function useCaptcha(attempt: number) {
  const [captcha, setCaptcha] = useState<Captcha>({ key: '', image: '', failed: false })
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!webSettings.captchaMode) return
    const stop = new AbortController()
    apiGet<{ key: string; image: string }>('/api/blade-auth/oauth/captcha', undefined, {
      basic: false,
      token: false,
      quiet: true,
      signal: stop.signal,
    })
      .then(({ key, image }) => setCaptcha({ key, image, failed: false }))
      .catch((reason: unknown) => {
        if (!(reason instanceof DOMException)) setCaptcha({ key: '', image: '', failed: true })
      })
    return () => stop.abort()
  }, [attempt, round])
  const another = useCallback(() => setRound((count) => count + 1), [])
  return { ...captcha, another }
}
