import { useEffect, useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from './words.ts'

type Source = { source: string; name: string }

/** Buttons for third-party sign-in, for the providers configured at the server. */
export function SocialLoginButtons() {
  const t = useLocalize()
  const [sources, setSources] = useState<Source[]>([])
  useEffect(() => {
    apiGet<Source[]>('/api/blade-auth/oauth/social', undefined, { quiet: true, token: false })
      .then((list) => setSources(Array.isArray(list) ? list : []))
      .catch(() => {})
  }, [])
  if (!sources.length) return null
  return (
    <div className="login-social">
      <p>{t(words.other)}</p>
      <div>
        {sources.map(({ source, name }) => (
          <a key={source} href={`/api/blade-auth/oauth/render/${encodeURIComponent(source)}`}>
            <span aria-hidden="true">{name.slice(0, 1).toUpperCase()}</span>
            {name}
          </a>
        ))}
      </div>
    </div>
  )
}
