import type { WireRow } from '#kit/resource/index.ts'
import { lazy } from 'react'
import { page } from '#kit/web/page.tsx'
import { remoteSession } from './remote-session.resource.ts'

const RemoteTerminal = lazy(() => import('./remote-terminal.tsx').then((m) => ({ default: m.RemoteTerminal })))

export default page(remoteSession, {
  intro: {
    zh: '设备的远程会话：谁在什么时候打开、为什么结束；打开一条可以旁观或回看',
    en: 'Remote sessions of devices: who, when, and why they ended; open one to watch it or to read it again',
  },
  beside: (row: WireRow<typeof remoteSession>) => <RemoteTerminal sessionId={String(row.id)} />,
})
