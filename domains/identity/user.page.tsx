import { useQueryClient } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useCan } from '#kit/web/session/can.ts'
import { Picker } from '#kit/web/form/picker.tsx'
import ConfirmDialog from '#kit/web/form/confirm-dialog.tsx'
import { TenantFilter, tenantCells, tenantInputs, useForTenant } from '#kit/web/for-tenant.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { download, post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { withFilters } from '#kit/web/list/list-state.ts'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import type { Deed } from '#kit/web/list/row-buttons.tsx'
import { useScreen } from '#kit/web/screen.ts'
import { useSession } from '#kit/web/session/session.ts'
import { SideTree } from '#kit/web/list/side-tree.tsx'
import { When } from '#kit/web/parts/when.tsx'
import TreeMany from '#kit/web/form/tree-many.tsx'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import type { List } from '#kit/web/list/use-list.ts'
import { useOptionTree } from '#kit/web/form/use-options.ts'
import { user } from './user.resource.ts'

const ImportDialog = lazy(() => import('#kit/web/list/import-dialog.tsx'))
const RolesPanel = lazy(() => import('./user-roles.panel.tsx'))
const SessionsPanel = lazy(() => import('./user-sessions.panel.tsx'))
const PlatformPanel = lazy(() => import('./user-platform.panel.tsx'))

const words = {
  intro: {
    zh: '能登录后台的人；按左侧机构查看，含下级机构',
    en: 'Who can sign in; choose a department to see its people and those below',
  },
  departments: { zh: '机构', en: 'Departments' },
  everybody: { zh: '全部机构', en: 'All departments' },
  import: { zh: '导入', en: 'Import' },
  importTitle: { zh: '导入用户', en: 'Import users' },
  cover: {
    zh: '同一租户中账号相同的用户会被更新，密码不变',
    en: 'Users of the same tenant and account are updated; passwords stay',
  },
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
  all: { zh: '全部平台', en: 'All platforms' },
}

type Asking = { title: Words; text: Words; path: string; rows: Row[]; danger?: boolean }

const NARROW: Record<string, string> = { roleId: 'role', deptId: 'dept' }

/** Roles and departments of the tenant the user belongs to. */
const TreeInput = (props: InputProps) => (
  <TreeMany {...props} filter={props.values.tenantId ? { tenantId: props.values.tenantId } : undefined} />
)

function PostInput({ value, onChange, values, id, invalid, describedBy }: InputProps) {
  return (
    <Picker
      to="post"
      multiple
      filter={values.tenantId ? { tenantId: values.tenantId } : undefined}
      value={String(value ?? '')}
      onChange={(next) => onChange(next)}
      id={id}
      invalid={invalid}
      describedBy={describedBy}
    />
  )
}

function WhoCell({ row, place }: CellProps) {
  if (place === 'detail') return <>{String(row.account)}</>
  const initial = String(row.realName || row.name || row.account).slice(0, 1)
  return (
    <span className="kit-named">
      {row.avatar ? (
        <img className="kit-face" src={String(row.avatar)} alt="" />
      ) : (
        <span className="kit-face" aria-hidden>
          {initial}
        </span>
      )}
      {String(row.account)}
    </span>
  )
}

const { account, lastLoginTime, realName, roleId, deptId, userType } = user.fields
const shown: Resource<any, any> = {
  ...user,
  // Chosen beside and above the list.
  fields: {
    ...user.fields,
    account: { ...account, width: 130 },
    realName: { ...realName, width: 90 },
    roleId: { ...roleId, width: 110 },
    deptId: { ...deptId, width: 130 },
    lastLoginTime: { ...lastLoginTime, width: 110 },
    userType: { ...userType, search: undefined },
  },
  list: {
    ...user.list,
    columns: ['account', 'tenantId', 'realName', 'roleId', 'status', 'lastLoginTime', 'deptId', 'createTime'],
  },
}
/** How long ago is what one looks for: an account nobody uses. */
function LastLoginCell({ value, place }: CellProps) {
  const say = useSay()
  return value ? (
    <When at={String(value)} full={place === 'detail'} />
  ) : (
    <span className="kit-quiet">{say(lastLoginTime.blank!)}</span>
  )
}

const cells = {
  ...tenantCells,
  lastLoginTime: (props: CellProps) => <LastLoginCell {...props} />,
  account: (props: CellProps) => <WhoCell {...props} />,
}
const inputs = {
  ...tenantInputs,
  ...Object.fromEntries(Object.keys(NARROW).map((key) => [key, TreeInput])),
  postId: PostInput,
}
const nameOf = (row: Row) => `${String(row.realName || row.name)} (${String(row.account)})`

/** Users beside their departments. */
export default function UserPage() {
  const say = useSay()
  const resource = useForTenant(shown)
  const ownId = useSession((session) => session.user?.userId)
  const may = {
    role: useCan('user_role'),
    reset: useCan('user_reset'),
    unlock: useCan('user_unlock'),
    edit: useCan('user_edit'),
  }
  const [roles, setRoles] = useState<Row[]>()
  const [asking, setAsking] = useState<Asking>()
  const [sessions, setSessions] = useState<Row>()
  const [platform, setPlatform] = useState<Row>()
  const client = useQueryClient()
  const renew = () => void client.invalidateQueries({ queryKey: ['list', 'user'] })

  const ask = {
    reset: (rows: Row[]) =>
      setAsking({ title: words.reset, text: words.resetText, path: 'reset-password', rows, danger: true }),
    unlock: (rows: Row[]) => setAsking({ title: words.unlock, text: words.unlockText, path: 'unlock', rows }),
  }
  const deeds = (row: Row): Deed[] => [
    ...(may.role ? [{ key: 'roles', label: words.roles, icon: 'safety', run: () => setRoles([row]) }] : []),
    ...(may.edit ? [{ key: 'platform', label: words.platform, icon: 'mobile', run: () => setPlatform(row) }] : []),
    ...(may.unlock ? [{ key: 'unlock', label: words.unlock, icon: 'unlock', run: () => ask.unlock([row]) }] : []),
    ...(may.reset ? [{ key: 'sessions', label: words.sessions, icon: 'desktop', run: () => setSessions(row) }] : []),
    ...(may.reset
      ? [{ key: 'reset', label: words.reset, icon: 'key', danger: true, run: () => ask.reset([row]) }]
      : []),
  ]
  const many = (rows: Row[]): Deed[] => [
    ...(may.role ? [{ key: 'roles', label: words.roles, icon: 'safety', run: () => setRoles(rows) }] : []),
    ...(may.unlock ? [{ key: 'unlock', label: words.unlock, icon: 'unlock', run: () => ask.unlock(rows) }] : []),
    ...(may.reset ? [{ key: 'reset', label: words.reset, icon: 'key', danger: true, run: () => ask.reset(rows) }] : []),
  ]
  const tame = (list: Deed[], row: Row) =>
    list.map((deed) =>
      deed.key === 'remove' && String(row.id) === ownId ? { ...deed, disabled: true, label: words.self } : deed,
    )
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          call: 'page',
          onExport: (params) => download(`${user.path}/export-user`, params),
          cells,
          inputs,
          deeds,
          tame,
          preset: (list) => ({ deptId: list.state.filters.deptId ?? '' }),
          panel: (list) => <Departments list={list} />,
          head: (list) => <Platforms list={list} />,
          toolbar: (list) => <ImportButton list={list} />,
          many: may.role || may.unlock || may.reset ? many : undefined,
        }}
      />
      {asking && (
        <ConfirmDialog
          title={asking.title}
          text={say(asking.text)}
          names={asking.rows.map(nameOf)}
          danger={asking.danger}
          run={() => post(`${user.path}/${asking.path}`, { query: { userIds: asking.rows.map((row) => row.id) } })}
          onClose={() => setAsking(undefined)}
        />
      )}
      <Suspense>
        {roles && (
          <RolesPanel
            users={roles}
            onClose={(done) => {
              setRoles(undefined)
              if (done) renew()
            }}
          />
        )}
        {sessions && <SessionsPanel row={sessions} onClose={() => setSessions(undefined)} />}
        {platform && (
          <PlatformPanel
            row={platform}
            onClose={(done) => {
              setPlatform(undefined)
              if (done) renew()
            }}
          />
        )}
      </Suspense>
    </>
  )
}

function Departments({ list }: { list: List }) {
  const say = useSay()
  const { tenantId } = list.state.filters
  const { data, error, refetch } = useOptionTree('dept', tenantId ? { tenantId } : undefined)
  return (
    <>
      <TenantFilter list={list} className="kit-side-tenant" />
      <SideTree
        nodes={data}
        error={error}
        retry={() => void refetch()}
        value={list.state.filters.deptId ?? ''}
        label={say(words.departments)}
        all={say(words.everybody)}
        onChange={(id) => list.set((before) => withFilters(before, { deptId: id }))}
      />
    </>
  )
}

/** The platforms people come from, as tabs. */
function Platforms({ list }: { list: List }) {
  const say = useSay()
  const { choices } = useDictionary('user_type')
  return (
    <Segmented
      className="kit-head-tabs"
      value={list.state.filters.userType ?? ''}
      onChange={(next) => list.set((before) => withFilters(before, { userType: String(next) }))}
      options={[{ value: '', label: say(words.all) }, ...choices.map(({ key, label }) => ({ value: key, label }))]}
      aria-label={say(userType.label)}
    />
  )
}

function ImportButton({ list }: { list: List }) {
  const say = useSay()
  const isPhone = useScreen() === 0
  const [importing, setImporting] = useState(false)
  if (!useCan('user_import')) return null
  return (
    <>
      <Button size={isPhone ? 'large' : 'middle'} icon={<Icon name="import" />} onClick={() => setImporting(true)}>
        {say(words.import)}
      </Button>
      {importing && (
        <Suspense>
          <ImportDialog
            title={words.importTitle}
            path={`${user.path}/import-user`}
            template={`${user.path}/export-template`}
            cover={words.cover}
            onClose={(done) => {
              setImporting(false)
              if (done) list.refetch()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
