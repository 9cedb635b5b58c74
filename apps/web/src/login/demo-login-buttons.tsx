import { useEffect, useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { words } from './words.ts'

type Person = { tenantId: string; account: string; name: string; tenantName: string; who: string }
type Props = { onEnter: (person: { tenantId: string; account: string }) => void }

/** Buttons to sign in as one of the demo users; nothing on a server without demo data. */
export function DemoLoginButtons({ onEnter }: Props) {
  const t = useLocalize()
  const language = useLanguage()
  const [people, setPeople] = useState<Person[]>([])
  useEffect(() => {
    apiGet<Person[]>('/api/story/people', undefined, { quiet: true, token: false })
      .then((list) => setPeople(Array.isArray(list) ? list : []))
      .catch(() => {})
  }, [language])
  const houses = [...new Set(people.map((one) => one.tenantName))]
  if (!houses.length) return null
  return (
    <section className="login-story" aria-label={t(words.story)}>
      <p>{t(words.story)}</p>
      {houses.map((house) => (
        <div key={house} role="group" aria-label={house || t(words.platform)}>
          <span>{house || t(words.platform)}</span>
          {people
            .filter((one) => one.tenantName === house)
            .map(({ tenantId, account, name, who }) => (
              <button key={account} type="button" onClick={() => onEnter({ tenantId, account })}>
                <strong>{name}</strong> {who.replace(house, '').trim()}
              </button>
            ))}
        </div>
      ))}
    </section>
  )
}
