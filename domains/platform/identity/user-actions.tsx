import type { WireRow } from '#kit/resource/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import ConfirmDialog from '#kit/web/parts/confirm-dialog.tsx'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useSession } from '#kit/web/session/session.ts'
import type { IssuedPasswordWire } from './first-passwords.panel.tsx'
import { user } from './user.resource.ts'

type Row = WireRow<typeof user>

const RolesPanel = lazy(() => import('./user-roles.panel.tsx'))
const SessionsPanel = lazy(() => import('./user-sessions.panel.tsx'))
const FirstPasswords = lazy(() => import('./first-passwords.panel.tsx'))
const PlatformPanel = lazy(() => import('./user-platform.panel.tsx'))

const words = {
  roles: { zh: '角色配置', en: 'Assign roles' },
  reset: { zh: '重置密码', en: 'Reset password' },
  resetText: {
    zh: '将换为新的初始密码，只显示一次；已登录的会话会退出。',
    en: 'A new initial password is generated and shown once. Open sessions are ended.',
  },
  unlock: { zh: '账号解封', en: 'Unlock' },
  unlockText: {
    zh: '清除登录失败次数，立即可以再次登录。',
    en: 'Failed sign-ins are reset. The user can sign in again immediately.',
  },
  sessions: { zh: '登录设备', en: 'Active sessions' },
  platform: { zh: '平台信息', en: 'Platform data' },
  self: { zh: '不能删除本账号', en: 'You cannot delete your own account' },
}

type Sure = { title: LocalizedText; text: LocalizedText; path: string; danger?: boolean }
const sures: Record<'unlock' | 'reset', Sure> = {
  unlock: { title: words.unlock, text: words.unlockText, path: 'unlock' },
  reset: { title: words.reset, text: words.resetText, path: 'reset-password', danger: true },
}

/** The dialog that is open, with its users. */
type OpenDialog =
  | { kind: 'roles'; rows: Row[] }
  | { kind: 'sessions' | 'platform'; row: Row }
  | { kind: 'sure'; sure: Sure; rows: Row[] }
  | { kind: 'given'; given: readonly IssuedPasswordWire[] }

/** Actions on one or many users besides the standard ones, with their dialogs. */
export function useUserRowActions() {
  const ownId = useSession((session) => session.user?.userId)
  const may = {
    role: useHasPermission('user_role'),
    reset: useHasPermission('user_reset'),
    unlock: useHasPermission('user_unlock'),
    edit: useHasPermission('user_edit'),
  }
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const client = useQueryClient()

  const roles = (rows: Row[]): RowAction[] =>
    may.role
      ? [{ key: 'roles', label: words.roles, icon: 'safety', run: () => setOpenDialog({ kind: 'roles', rows }) }]
      : []
  const sure = (key: keyof typeof sures, icon: NonNullable<RowAction['icon']>, rows: Row[]): RowAction[] => {
    const { title: label, danger } = sures[key]
    return may[key]
      ? [{ key, label, icon, danger, run: () => setOpenDialog({ kind: 'sure', sure: sures[key], rows }) }]
      : []
  }
  const about = (kind: 'sessions' | 'platform', icon: NonNullable<RowAction['icon']>, row: Row): RowAction => ({
    key: kind,
    label: words[kind],
    icon,
    run: () => setOpenDialog({ kind, row }),
  })

  return {
    openDialog,
    rowActions: (row: Row): RowAction[] => [
      ...roles([row]),
      ...(may.edit ? [about('platform', 'mobile', row)] : []),
      ...sure('unlock', 'unlock', [row]),
      ...(may.reset ? [about('sessions', 'desktop', row)] : []),
      ...sure('reset', 'key', [row]),
    ],
    many:
      may.role || may.unlock || may.reset
        ? (rows: Row[]): RowAction[] => [
            ...roles(rows),
            ...sure('unlock', 'unlock', rows),
            ...sure('reset', 'key', rows),
          ]
        : undefined,
    transformActions: (list: RowAction[], row: Row) =>
      list.map((action) =>
        action.key === 'remove' && String(row.id) === ownId ? { ...action, disabled: true, label: words.self } : action,
      ),
    /** Shows the initial passwords in the answer of a call that made or reset accounts. */
    tell: (answer: unknown) => {
      const given = (answer as { first?: readonly IssuedPasswordWire[] } | null | undefined)?.first
      setOpenDialog(given?.length ? { kind: 'given', given } : undefined)
    },
    close: (isDone?: boolean) => {
      setOpenDialog(undefined)
      if (isDone) void client.invalidateQueries({ queryKey: ['list', 'user'] })
    },
  }
}

const nameOf = (row: Row) => `${String(row.realName || row.name)} (${String(row.account)})`

type Props = { openDialog: OpenDialog; tell: (answer: unknown) => void; onClose: (isDone?: boolean) => void }

export function UserActionPanels({ openDialog, tell, onClose }: Props) {
  if (openDialog.kind === 'sure') return <AreYouSure {...openDialog} tell={tell} onClose={onClose} />
  return (
    <Suspense>
      {openDialog.kind === 'given' ? (
        <FirstPasswords given={openDialog.given} onClose={() => onClose()} />
      ) : openDialog.kind === 'roles' ? (
        <RolesPanel users={openDialog.rows} onClose={onClose} />
      ) : openDialog.kind === 'sessions' ? (
        <SessionsPanel row={openDialog.row} onClose={() => onClose()} />
      ) : (
        <PlatformPanel row={openDialog.row} onClose={onClose} />
      )}
    </Suspense>
  )
}

function AreYouSure({ sure, rows, tell, onClose }: { sure: Sure; rows: Row[] } & Omit<Props, 'openDialog'>) {
  const t = useLocalize()
  const answer = useRef<unknown>(undefined)
  return (
    <ConfirmDialog
      title={sure.title}
      text={t(sure.text)}
      names={rows.map(nameOf)}
      danger={sure.danger}
      run={async () => {
        answer.current = await apiPost(`${user.path}/${sure.path}`, { query: { userIds: rows.map(({ id }) => id) } })
      }}
      onClose={(done) => (done ? tell(answer.current) : onClose())}
    />
  )
}
