import type { WireRow } from '#kit/resource/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import ConfirmDialog from '#kit/web/form/confirm-dialog.tsx'
import { post } from '#kit/web/http.ts'
import { useSay, type Words } from '#kit/web/language.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useCan } from '#kit/web/session/can.ts'
import { useSession } from '#kit/web/session/session.ts'
import { user } from './user.resource.ts'

type Row = WireRow<typeof user>

const RolesPanel = lazy(() => import('./user-roles.panel.tsx'))
const SessionsPanel = lazy(() => import('./user-sessions.panel.tsx'))
const PlatformPanel = lazy(() => import('./user-platform.panel.tsx'))

const words = {
  roles: { zh: '角色配置', en: 'Assign roles' },
  reset: { zh: '重置密码', en: 'Reset password' },
  resetText: {
    zh: '密码将改为系统参数“账号初始密码”的值，已登录的会话会退出。',
    en: 'The password becomes the one of the parameter account.initPassword; open sessions end.',
  },
  unlock: { zh: '账号解封', en: 'Unlock' },
  unlockText: {
    zh: '清除登录失败次数，立即可以再次登录。',
    en: 'Failed sign-ins are forgotten, so they can sign in again at once.',
  },
  sessions: { zh: '登录设备', en: 'Open sessions' },
  platform: { zh: '平台信息', en: 'Platform data' },
  self: { zh: '不能删除本账号', en: 'Your own account stays' },
}

type Sure = { title: Words; text: Words; path: string; danger?: boolean }
const sures: Record<'unlock' | 'reset', Sure> = {
  unlock: { title: words.unlock, text: words.unlockText, path: 'unlock' },
  reset: { title: words.reset, text: words.resetText, path: 'reset-password', danger: true },
}

/** What is on screen about whom. */
type AskedAction =
  | { kind: 'roles'; rows: Row[] }
  | { kind: 'sessions' | 'platform'; row: Row }
  | { kind: 'sure'; sure: Sure; rows: Row[] }

/** What can be done with users beside the usual, with one or with many. */
export function useUserActions() {
  const ownId = useSession((session) => session.user?.userId)
  const may = {
    role: useCan('user_role'),
    reset: useCan('user_reset'),
    unlock: useCan('user_unlock'),
    edit: useCan('user_edit'),
  }
  const [asked, setAsked] = useState<AskedAction>()
  const client = useQueryClient()
  const roles = (rows: Row[]): RowAction[] =>
    may.role ? [{ key: 'roles', label: words.roles, icon: 'safety', run: () => setAsked({ kind: 'roles', rows }) }] : []
  const sure = (key: keyof typeof sures, icon: NonNullable<RowAction['icon']>, rows: Row[]): RowAction[] => {
    const { title: label, danger } = sures[key]
    return may[key] ? [{ key, label, icon, danger, run: () => setAsked({ kind: 'sure', sure: sures[key], rows }) }] : []
  }
  const about = (kind: 'sessions' | 'platform', icon: NonNullable<RowAction['icon']>, row: Row): RowAction => ({
    key: kind,
    label: words[kind],
    icon,
    run: () => setAsked({ kind, row }),
  })
  return {
    asked,
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
    close: (isDone?: boolean) => {
      setAsked(undefined)
      if (isDone) void client.invalidateQueries({ queryKey: ['list', 'user'] })
    },
  }
}

const nameOf = (row: Row) => `${String(row.realName || row.name)} (${String(row.account)})`

export function UserPanels({ asked, onClose }: { asked: AskedAction; onClose: (isDone?: boolean) => void }) {
  if (asked.kind === 'sure') return <AreYouSure {...asked} onClose={() => onClose()} />
  return (
    <Suspense>
      {asked.kind === 'roles' ? (
        <RolesPanel users={asked.rows} onClose={onClose} />
      ) : asked.kind === 'sessions' ? (
        <SessionsPanel row={asked.row} onClose={() => onClose()} />
      ) : (
        <PlatformPanel row={asked.row} onClose={onClose} />
      )}
    </Suspense>
  )
}

function AreYouSure({ sure, rows, onClose }: { sure: Sure; rows: Row[]; onClose: () => void }) {
  const say = useSay()
  return (
    <ConfirmDialog
      title={sure.title}
      text={say(sure.text)}
      names={rows.map(nameOf)}
      danger={sure.danger}
      run={() => post(`${user.path}/${sure.path}`, { query: { userIds: rows.map((row) => row.id) } })}
      onClose={onClose}
    />
  )
}
