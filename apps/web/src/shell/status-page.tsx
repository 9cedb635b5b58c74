import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useShellTranslation } from '../words/index.ts'
import { windowTitleOf } from './titles.ts'

const word = { 403: 'forbidden', 404: 'notFound', 500: 'crashed' } as const

/** Error page for 403, 404 or 500. */
export function HttpErrorPage({ code }: { code: '403' | '404' | '500' }) {
  const t = useShellTranslation()
  const language = useLanguage()
  const navigate = useNavigate()
  const name = t(word[code])
  useEffect(() => {
    document.title = windowTitleOf(name, language)
  }, [name, language])
  return (
    <main className="status">
      <p className="status-code" aria-hidden="true">
        {code}
      </p>
      <h1>{name}</h1>
      <p>{t(`${word[code]}.why`)}</p>
      <div className="state-foot">
        <Link className="solid-button" to="/">
          {t('backHome')}
        </Link>
        <button type="button" className="plain-button" onClick={() => void navigate(-1)}>
          {t('back')}
        </button>
      </div>
    </main>
  )
}
