import { useEffect, useState } from 'react'
import { Icon } from '#kit/web/icon.tsx'
import { useT } from '../words/index.ts'

const SOON = 15_000
const EVERY = 5 * 60_000

async function version() {
  const response = await fetch('/version.json', { cache: 'no-store' })
  if (!response.ok || !response.headers.get('Content-Type')?.includes('json')) return undefined
  return ((await response.json()) as { version?: string }).version
}

/** Says so when the server has a newer build than the one on screen. */
export function NewVersion() {
  const t = useT()
  const [newer, setNewer] = useState(false)
  useEffect(() => {
    if (import.meta.env.DEV) return
    let first: string | undefined
    const look = () => {
      if (document.hidden) return
      version().then((now) => {
        first ??= now
        if (now && first !== now) setNewer(true)
      }).catch(() => {})
    }
    // Not while the page is still loading.
    const soon = setTimeout(look, SOON)
    const timer = setInterval(look, EVERY)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  if (!newer) return null
  return (
    <aside className="new-version" role="status">
      <Icon name="rocket" />
      <div><strong>{t('version.new')}</strong><p>{t('version.why')}</p></div>
      <button type="button" className="plain-button" onClick={() => setNewer(false)}>{t('version.later')}</button>
      <button type="button" className="solid-button" onClick={() => location.reload()}>{t('reload')}</button>
    </aside>
  )
}
