import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import type { DeviceLinkRow } from '#domains/devices/device-messaging/web.ts'
import { ApiError, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import { RemoteTerminal } from './remote-terminal.tsx'

const words = {
  title: { zh: '远程会话 · {name}', en: 'Remote session · {name}' },
  opening: { zh: '正在连接设备…', en: 'Connecting to the device…' },
  end: { zh: '结束会话', en: 'End session' },
}

type Opened = { sessionId: string }

/** Opens a session with a device. Closing the drawer does not end it. */
export function TerminalDrawer({ row, onClose }: { row: DeviceLinkRow; onClose: () => void }) {
  const t = useLocalize()
  const [sessionId, setSessionId] = useState<string>()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    let isShown = true
    const query = { clientId: row.clientId }
    apiPost<Opened>('/api/shop/basicShopInfo/openSession', { query }, { quiet: true }).then(
      (opened) => isShown && setSessionId(opened.sessionId),
      (error: unknown) => {
        if (!isShown) return
        // Somebody else has the session: shows it to watch or take over.
        const taken = error instanceof ApiError ? (error.data as Partial<Opened>).sessionId : undefined
        if (taken) setSessionId(taken)
        else setProblem(error instanceof Error ? error.message : String(error))
      },
    )
    return () => {
      isShown = false
    }
  }, [row.clientId])

  const end = () =>
    apiPost('/api/shop/basicShopInfo/closeSession', { query: { sessionId } }).then(onClose, () => {
      // The error is shown as a toast.
    })

  return (
    <Drawer
      open
      title={t(words.title, { name: row.name })}
      size="large"
      onClose={onClose}
      extra={
        sessionId && (
          <Button danger onClick={() => void end()}>
            {t(words.end)}
          </Button>
        )
      }
    >
      {problem && <Alert type="error" showIcon title={problem} />}
      {!problem && !sessionId && <p className="kit-quiet">{t(words.opening)}</p>}
      {sessionId && <RemoteTerminal sessionId={sessionId} />}
    </Drawer>
  )
}
