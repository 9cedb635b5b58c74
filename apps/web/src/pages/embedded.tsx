import { useShellTranslation } from '../words/index.ts'
import { isEmbeddableUrl, embeddedUrlOf, pageNameOf } from '../shell/directory.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useTab } from '#kit/web/base/tab.ts'

const isOurs = (url: string) => new URL(url, location.href).origin === location.origin

/**
 * Shows an external page inside a tab. Only addresses of the user's menus are allowed, so that no link can show a
 * foreign page in our frame.
 */
export default function EmbeddedPage() {
  const t = useShellTranslation()
  const { key } = useTab()
  const menus = useSession((session) => session.menuAll)
  const url = embeddedUrlOf(key)
  if (!isEmbeddableUrl(url)) {
    return (
      <div className="state" role="alert">
        <p className="state-title">{t('frame.refused')}</p>
        <code>{url}</code>
      </div>
    )
  }
  return (
    <iframe
      className="embedded"
      src={url}
      title={pageNameOf(key, menus)}
      referrerPolicy="no-referrer"
      sandbox={isOurs(url) ? undefined : 'allow-scripts allow-same-origin allow-forms allow-popups allow-downloads'}
    />
  )
}
