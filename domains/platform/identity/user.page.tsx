import type { WireRow } from '#kit/resource/index.ts'
import { Button, Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import {
  TenantFilter,
  tenantCellOverrides,
  tenantInputOverrides,
  useTenantAwareResource,
} from '#kit/web/page/for-tenant.tsx'
import { apiDownload } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { TreeFilterPanel } from '#kit/web/list/side-tree.tsx'
import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import TreeMultiPicker from '#kit/web/form/tree-many.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { useRowOptionTree } from '#kit/web/inputs/use-options.ts'
import { user } from './user.resource.ts'
import { useUserRowActions, UserActionPanels } from './user-actions.tsx'

type Row = WireRow<typeof user>

const ImportDialog = lazy(() => import('#kit/web/list/import-dialog.tsx'))

const words = {
  intro: {
    zh: '能登录后台的人；按左侧部门查看，含下级部门',
    en: 'People who can sign in to the back office. Select a department to see its people and those below.',
  },
  departments: { zh: '部门', en: 'Departments' },
  everybody: { zh: '全部部门', en: 'All departments' },
  import: { zh: '导入', en: 'Import' },
  importTitle: { zh: '导入用户', en: 'Import users' },
  cover: {
    zh: '同一租户中账号相同的用户会被更新；空单元格和密码不变',
    en: 'Users with the same account in the same tenant are updated. Blank cells and passwords do not change anything.',
  },
  all: { zh: '全部平台', en: 'All platforms' },
}

const NARROW: Record<string, string> = { roleId: 'role', deptId: 'dept' }

/** Picks roles or departments of the edited user's tenant. */
const TreeInput = (props: InputProps) => (
  <TreeMultiPicker {...props} filter={props.values.tenantId ? { tenantId: props.values.tenantId } : undefined} />
)

function PostInput({ value, onChange, values, id, invalid, describedBy }: InputProps) {
  return (
    <RowPicker
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

function WhoCell({ row, place }: CellProps<Row>) {
  if (place === 'detail') return <>{String(row.account)}</>
  return (
    <span className="kit-named">
      <PersonAvatar link={row.avatar} name={row.realName || row.name || row.account} className="kit-face" />
      {String(row.account)}
    </span>
  )
}

const { account, lastLoginTime, realName, roleId, deptId, userType } = user.fields
const shown = {
  ...user,
  // These fields are filtered beside and above the list.
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

/** Time since the last sign-in, which shows unused accounts. */
function LastLoginCell({ value, place }: CellProps<Row>) {
  const t = useLocalize()
  return value ? (
    <RelativeTime at={String(value)} full={place === 'detail'} />
  ) : (
    <span className="kit-quiet">{t(lastLoginTime.emptyLabel!)}</span>
  )
}

const cells = {
  ...tenantCellOverrides,
  lastLoginTime: (props: CellProps<Row>) => <LastLoginCell {...props} />,
  account: (props: CellProps<Row>) => <WhoCell {...props} />,
}
const inputs = {
  ...tenantInputOverrides,
  ...Object.fromEntries(Object.keys(NARROW).map((key) => [key, TreeInput])),
  postId: PostInput,
}

/** Lists users beside the department tree. */
export default function UserPage() {
  const resource = useTenantAwareResource(shown)
  const { openDialog, rowActions, many, transformActions, tell, close } = useUserRowActions()
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          call: 'page',
          onExport: (params) => apiDownload(`${user.path}/export-user`, params),
          cells,
          inputs,
          rowActions,
          transformActions,
          preset: (list) => ({ deptId: list.state.filters.deptId ?? '' }),
          panel: (list) => <Departments list={list} />,
          head: (list) => <Platforms list={list} />,
          toolbar: (list) => <ImportButton list={list} tell={tell} />,
          onAdded: tell,
          many,
        }}
      />
      {openDialog && <UserActionPanels openDialog={openDialog} tell={tell} onClose={close} />}
    </>
  )
}

function Departments({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const { tenantId } = list.state.filters
  const { data, error, refetch } = useRowOptionTree('dept', tenantId ? { tenantId } : undefined)
  return (
    <>
      <TenantFilter list={list} className="kit-side-tenant" />
      <TreeFilterPanel
        nodes={data}
        error={error}
        retry={() => void refetch()}
        value={list.state.filters.deptId ?? ''}
        label={t(words.departments)}
        all={t(words.everybody)}
        onChange={(id) => list.set((before) => withListFilters(before, { deptId: id }))}
      />
    </>
  )
}

/** Filters users by user type (platform), as tabs. */
function Platforms({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const { choices } = useDictionary('user_type')
  return (
    <Segmented
      className="kit-head-tabs"
      value={list.state.filters.userType ?? ''}
      onChange={(next) => list.set((before) => withListFilters(before, { userType: String(next) }))}
      options={[{ value: '', label: t(words.all) }, ...choices.map(({ key, label }) => ({ value: key, label }))]}
      aria-label={t(userType.label)}
    />
  )
}

function ImportButton({ list, tell }: { list: ResourceList; tell: (answer: unknown) => void }) {
  const t = useLocalize()
  const isPhone = useScreenSize() === 0
  const [importing, setImporting] = useState(false)
  if (!useHasPermission('user_import')) return null
  return (
    <>
      <Button size={isPhone ? 'large' : 'middle'} icon={<Icon name="import" />} onClick={() => setImporting(true)}>
        {t(words.import)}
      </Button>
      {importing && (
        <Suspense>
          <ImportDialog
            title={words.importTitle}
            path={`${user.path}/import-user`}
            query={{ isExact: 1 }}
            template={`${user.path}/export-template`}
            cover={words.cover}
            onAnswer={tell}
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
