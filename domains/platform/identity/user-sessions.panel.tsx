import type { WireRow } from '#kit/resource/index.ts'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { SessionList, type SignedInSession } from '#kit/web/session/session-list.tsx'
import { useTab } from '#kit/web/base/tab.ts'
import { user } from './user.resource.ts'

type Row = WireRow<typeof user>

const words = { title: { zh: '登录设备', en: 'Active sessions' } }

/** Shows and ends the sessions of a user, for who may reset their password. */
export default function UserSessionsPanel({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useLocalize()
  const { active } = useTab()
  const userId = String(row.id)
  return (
    <Drawer
      open={active}
      size={560}
      onClose={onClose}
      className="kit-drawer"
      mask={{ closable: true }}
      title={
        <span className="kit-drawer-title">
          <span className="kit-quiet">{t(words.title)}</span> {String(row.realName || row.account)}
        </span>
      }
    >
      <SessionList
        name={userId}
        load={() => apiGet<SignedInSession[]>(`${user.path}/session/list`, { userId }, { quiet: true })}
        end={(sid) => apiPost(`${user.path}/session/end`, { body: { userId, ...(sid && { sid }) } })}
      />
    </Drawer>
  )
}
