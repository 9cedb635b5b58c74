import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense } from 'react'
import { DetailView } from '#kit/web/detail/detail-view.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { remoteSession } from './remote-session.resource.ts'

const RemoteTerminal = lazy(() => import('./remote-terminal.tsx').then((m) => ({ default: m.RemoteTerminal })))

export default createResourcePage(remoteSession, {
  intro: {
    zh: '设备的远程会话：谁在什么时候打开、为什么结束；打开一条可以旁观或回看',
    en: 'Remote sessions of devices: who opened them, when, and why they ended. Open one to watch or replay it.',
  },
  // Shows the terminal before the fields, which would fill a phone's screen first.
  detail: (row: WireRow<typeof remoteSession>) => (
    <>
      <Suspense fallback={<div className="kit-skeleton" />}>
        <RemoteTerminal sessionId={String(row.id)} />
      </Suspense>
      <DetailView resource={remoteSession} row={row} />
    </>
  ),
})
