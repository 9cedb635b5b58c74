import { useEffect, useState } from 'react'
import { recordServerBuild, useNewServerBuild } from '#kit/web/http/build.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { listUnsavedWork } from '#kit/web/base/unsaved.ts'
import { useShellTranslation } from '../words/index.ts'

const SOON = 15_000
const EVERY = 5 * 60_000

async function checkVersion() {
  if (document.hidden) return
  const response = await fetch('/version.json', { cache: 'no-store' })
  if (response.ok) recordServerBuild(await response.text())
}

/** Notice that the server has a newer build than the one on screen. */
export function NewVersionNotice() {
  const t = useShellTranslation()
  const build = useNewServerBuild((store) => store.build)
  const [later, setLater] = useState<string>()
  useEffect(() => {
    if (import.meta.env.DEV) return
    const quietly = () => void checkVersion().catch(() => {})
    // The first check waits until the page has loaded.
    const soon = setTimeout(quietly, SOON)
    const timer = setInterval(quietly, EVERY)
    document.addEventListener('visibilitychange', quietly)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', quietly)
    }
  }, [])
  if (!build || build === later) return null
  const unsaved = [...new Set(listUnsavedWork())].join(t('unsaved.and'))
  return (
    <aside className="new-version" role="status">
      <Icon name="rocket" />
      <div>
        <strong>{t('version.new')}</strong>
        <p>{unsaved ? t('version.unsaved', { what: unsaved }) : t('version.why')}</p>
      </div>
      <button type="button" className="plain-button" onClick={() => setLater(build)}>
        {t('version.later')}
      </button>
      <button type="button" className="solid-button" onClick={() => location.reload()}>
        {t('reload')}
      </button>
    </aside>
  )
}
