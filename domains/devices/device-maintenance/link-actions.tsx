import { lazy } from 'react'
import type { DeviceLinkAction } from '#domains/devices/device-messaging/web.ts'

const RebootDialog = lazy(() => import('./link-dialogs.tsx').then((m) => ({ default: m.RebootDialog })))
const UpgradeDialog = lazy(() => import('./link-dialogs.tsx').then((m) => ({ default: m.UpgradeDialog })))
const TerminalDrawer = lazy(() => import('./terminal-drawer.tsx').then((m) => ({ default: m.TerminalDrawer })))

/** Row actions this module adds to the page of device links. */
const actions: readonly DeviceLinkAction[] = [
  {
    key: 'reboot',
    label: { zh: '重启', en: 'Restart' },
    icon: 'poweroff',
    can: 'deviceLink_reboot',
    isFor: ({ kind }) => kind !== 'power',
    Dialog: RebootDialog,
  },
  {
    key: 'upgrade',
    label: { zh: '升级', en: 'Upgrade' },
    icon: 'cloud-upload',
    can: 'deviceLink_upgrade',
    isFor: ({ kind }) => kind !== 'power',
    Dialog: UpgradeDialog,
  },
  {
    key: 'session',
    label: { zh: '远程会话', en: 'Remote session' },
    icon: 'code',
    can: 'deviceLink_session',
    isFor: ({ kind }) => kind !== 'power',
    Dialog: TerminalDrawer,
  },
]

export default actions
