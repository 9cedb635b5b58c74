import type { WireRow } from '#kit/resource/index.ts'
import { Alert } from 'antd'
import { dictWebKind } from '#kit/fields/dict/dict.web.tsx'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { useIsPlatformUser } from '#kit/web/page/for-tenant.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { webSettings } from '#kit/web/base/settings.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { dataScope } from './scopes.resource.ts'
import {
  adaptResourceForScopePage,
  ScopeResourceCodeInput,
  ScopeMenuInput,
  SuggestedTextInput,
  useScopePageParts,
  useMenuTree,
} from './scopes.panel.tsx'
import { ScopeConditionInput } from './condition-input.tsx'
import { ScopeFieldsInput } from './fields-input.tsx'
import { DATA_SCOPE_CUSTOM } from './dictionaries.ts'
import { useDataScopeRules } from './use-scope-meaning.ts'

type Row = WireRow<typeof dataScope>

const words = {
  intro: {
    zh: '角色能看到一个页面的哪些数据；一个角色有多条时取并集',
    en: 'Which data of a page a role can see. Several scopes of a role add up.',
  },
  what: { zh: '规则', en: 'Rule' },
  where: { zh: '适用于', en: 'Applies to' },
  fields: { zh: '数据', en: 'Data' },
  shops: {
    zh: '仅限登录人所属门店的数据；没有门店的人看不到任何数据。无需填写其他内容。',
    en: 'Only data of stores the user belongs to. People without a store see nothing. No other input is needed.',
  },
  everything: { zh: '可见本租户的全部数据。', en: 'All data of the tenant is visible.' },
  ofMenu: { zh: '选择菜单后自动填写', en: 'Filled in when you select a menu' },
  unknown: {
    zh: '没有这个编号的数据，保存时会被拒绝。请选择有列表的菜单。',
    en: 'No data has this code. It will be rejected. Select a menu that has a list.',
  },
}

/** Resource code, filled in from the menu. Editable, with a warning, only when no resource has this code. */
function KnownCodeInput(props: InputProps) {
  const t = useLocalize()
  const meaning = useDataScopeRules(props.values)
  return (
    <>
      <ScopeResourceCodeInput {...props} disabled={meaning?.known !== false} placeholder={t(words.ofMenu)} />
      {meaning?.known === false && <Alert type="warning" showIcon title={t(words.unknown)} />}
    </>
  )
}

/** Scope type; leaves out types that do not apply to rows of the chosen resource. */
function TypeInput(props: InputProps) {
  const meaning = useDataScopeRules(props.values)
  const { choices } = useDictionary('data_scope_type')
  const now = String(props.value)
  const isOffered = (key: string) => !meaning?.known || key === now || meaning.types.includes(Number(key))
  const without = choices.map(({ key }) => key).filter((key) => !isOffered(key))
  return <dictWebKind.Input {...props} field={{ ...props.field, without }} />
}

type Values = { scopeType?: unknown }
const typeOf = (values: Values) => Number(values.scopeType)
const byColumn = (values: Values) => [2, 3, 4].includes(typeOf(values))

const layout: FormLayoutOf<typeof dataScope> = [
  { title: words.where, fields: ['menuId', 'resourceCode'] },
  { title: words.what, fields: ['scopeType', 'scopeName'] },
  { title: words.fields, fields: ['scopeColumn'], when: byColumn },
  { title: words.fields, fields: ['scopeValue'], when: (values) => typeOf(values) === DATA_SCOPE_CUSTOM },
  { fields: ['scopeField', 'remark'] },
]

function NameInput(props: InputProps) {
  const { find, language } = useMenuTree()
  const t = useLocalize()
  const { choices } = useDictionary('data_scope_type')
  const row = find(props.values.menuId)
  const type = choices.find(({ key }) => key === String(props.values.scopeType))?.label
  const note = { 1: words.everything, 6: words.shops }[typeOf(props.values)]
  return (
    <>
      <SuggestedTextInput
        {...props}
        suggestion={row && type ? `${(language === 'en' && row.nameEn) || row.name} [${type}]` : ''}
      />
      {note && <Alert type="info" showIcon title={t(note)} />}
    </>
  )
}

/** Suggests the first column of the resource that holds a user (own rows) or a department. */
function ColumnInput(props: InputProps) {
  const meaning = useDataScopeRules(props.values)
  const isOwn = typeOf(props.values) === 2
  const [first] = (isOwn ? meaning?.userColumns : meaning?.deptColumns) ?? []
  return <SuggestedTextInput {...props} suggestion={first?.name ?? (isOwn ? 'create_user' : 'create_dept')} />
}

const { scopeClass } = dataScope.fields
/** Hides `scopeClass`: only older clients send a Java class, and the server ignores it. */
const ours = {
  ...dataScope,
  fields: { ...dataScope.fields, scopeClass: { ...scopeClass, form: 'hidden' as const, detail: false } },
}
const shown = adaptResourceForScopePage(ours, ['scopeName', 'menuId', 'scopeType', 'scopeColumn', 'resourceCode'])
const inputs = {
  menuId: ScopeMenuInput,
  resourceCode: KnownCodeInput,
  scopeType: TypeInput,
  scopeName: NameInput,
  scopeColumn: ColumnInput,
  scopeField: ScopeFieldsInput,
  scopeValue: ScopeConditionInput,
}

/** Lists data scopes beside a tree of the menus they belong to. */
export default function DataScopePage() {
  const isPlatform = useIsPlatformUser()
  const parts = useScopePageParts()
  // The platform's scopes apply in every tenant, so only the platform changes them.
  const transformActions = (rowActions: RowAction[], row: Row) =>
    isPlatform || row.tenantId !== webSettings.defaultTenant
      ? rowActions
      : rowActions.filter(({ key }) => key === 'view')
  return (
    <ResourcePage
      resource={shown}
      page={{ ...parts, intro: words.intro, inputs, formLayout: layout, transformActions }}
    />
  )
}
