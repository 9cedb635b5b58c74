import { useQuery } from '@tanstack/react-query'
import { Alert, Input, Tag } from 'antd'
import { useRef } from 'react'
import { useRequired } from '#kit/fields/required.ts'
import { dictWeb } from '#kit/fields/dict/dict.web.tsx'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { LayoutOf } from '#kit/web/page-parts.ts'
import { useIsPlatform } from '#kit/web/for-tenant.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { get } from '#kit/web/http.ts'
import { useLang, useSay } from '#kit/web/language.tsx'
import type { Deed } from '#kit/web/list/row-buttons.tsx'
import { settings } from '#kit/web/settings.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { useRested } from '#kit/web/form/use-options.ts'
import { flawOf, placeholders, type Flaw } from './scope-grammar.ts'
import { dataScope } from './scopes.resource.ts'
import { besideMenu, CodeInput, MenuInput, ScopesPage, Suggested, useMenuTree } from './scopes.panel.tsx'

const words = {
  intro: {
    zh: '角色能看到一个页面的哪些数据；一个角色有多条时取并集',
    en: 'Which rows of a page a role sees; several scopes of a role add up',
  },
  what: { zh: '规则', en: 'Rule' },
  where: { zh: '适用于', en: 'Applies to' },
  fields: { zh: '数据', en: 'Rows' },
  shops: {
    zh: '仅限登录人所属门店的数据；没有门店的人看不到任何数据。无需填写其他内容。',
    en: 'Only rows of the shops the user belongs to; who has no shop sees nothing. Nothing else to fill in.',
  },
  everything: { zh: '可见本租户的全部数据。', en: 'Every row of the tenant is visible.' },
  grammar: {
    zh: '写法：字段 比较 值，用 and、or 连接，可加括号。',
    en: 'Write: column, comparison, value; join with and / or, brackets allowed.',
  },
  comparisons: { zh: '比较：=  <>  >  >=  <  <=  in', en: 'Comparisons: =  <>  >  >=  <  <=  in' },
  values: {
    zh: '值：数字、单引号文字、in (…) 列表，或下面的登录人信息（点击插入）：',
    en: 'Values: numbers, quoted texts, in (…) lists, or these facts of the user (click to insert):',
  },
  columns: { zh: '{label}的字段（点击插入）：', en: 'Columns of {label} (click to insert):' },
  noColumns: {
    zh: '先填写权限编号，这里会列出可用的字段。',
    en: 'Give the resource code first; its columns are listed here.',
  },
  unknown: {
    zh: '没有这个编号的数据，保存时会被拒绝。请选择有列表的菜单。',
    en: 'No rows belong to this code and it will be refused. Choose a menu that has a list.',
  },
  good: { zh: '写法正确', en: 'Reads well' },
  flawEnd: { zh: '结尾处{expected}', en: 'At the end: {expected}' },
  flawAt: { zh: '“{at}”处{expected}', en: 'At {at}: {expected}' },
}

const expected: Record<Flaw['expected'], { zh: string; en: string }> = {
  column: { zh: '应为字段名', en: 'a column name is expected' },
  operator: { zh: '应为比较符', en: 'a comparison is expected' },
  value: { zh: '应为值', en: 'a value is expected' },
  closing: { zh: '缺少右括号', en: 'a closing bracket is missing' },
  joint: { zh: '应为 and 或 or', en: 'and / or is expected' },
}

const facts: Record<(typeof placeholders)[number], { zh: string; en: string }> = {
  userId: { zh: '本人', en: 'own id' },
  deptId: { zh: '首个部门', en: 'first department' },
  deptIds: { zh: '所有部门', en: 'all departments' },
  roleIds: { zh: '所有角色', en: 'all roles' },
  tenantId: { zh: '租户', en: 'tenant' },
  shopIds: { zh: '所属门店', en: 'own shops' },
}

type Column = { name: string; label: string; unit?: string }
type Meaning = {
  known: boolean
  label: string
  types: number[]
  userColumns: Column[]
  deptColumns: Column[]
  columns: Column[]
}

/** What a scope of this resource code may say; undefined while it is looked up or nothing is typed. */
function useMeaning(values: Record<string, unknown>): Meaning | undefined {
  const language = useLang()
  const resourceCode = useRested(String(values.resourceCode ?? '').trim())
  const { data } = useQuery({
    queryKey: ['scope-meaning', resourceCode, language],
    queryFn: () => get<Meaning>(`${dataScope.path}/meaning`, { resourceCode }, { quiet: true }),
    enabled: resourceCode !== '',
    staleTime: 60_000,
  })
  return resourceCode ? data : undefined
}

/** The code of the menu, and a word when no list has it. */
function KnownCodeInput(props: InputProps) {
  const say = useSay()
  const meaning = useMeaning(props.values)
  return (
    <>
      <CodeInput {...props} />
      {meaning?.known === false && <Alert type="warning" showIcon title={say(words.unknown)} />}
    </>
  )
}

/** Kinds of rules; those that mean nothing for the rows of this list are not offered. */
function TypeInput(props: InputProps) {
  const meaning = useMeaning(props.values)
  const { choices } = useDictionary('data_scope_type')
  const now = String(props.value)
  const isOffered = (key: string) => !meaning?.known || key === now || meaning.types.includes(Number(key))
  const without = choices.map(({ key }) => key).filter((key) => !isOffered(key))
  return <dictWeb.Input {...props} field={{ ...props.field, without }} />
}

const typeOf = (values: Record<string, unknown>) => Number(values.scopeType)
const byColumn = (values: Record<string, unknown>) => [2, 3, 4].includes(typeOf(values))

const layout: LayoutOf<typeof dataScope> = [
  { title: words.where, fields: ['menuId', 'resourceCode'] },
  { title: words.what, fields: ['scopeType', 'scopeName'] },
  { title: words.fields, fields: ['scopeColumn'], when: byColumn },
  { title: words.fields, fields: ['scopeValue'], when: (values) => typeOf(values) === 5 },
  { fields: ['scopeField', 'scopeClass', 'remark'] },
]

function NameInput(props: InputProps) {
  const { find, language } = useMenuTree()
  const say = useSay()
  const { choices } = useDictionary('data_scope_type')
  const row = find(props.values.menuId)
  const type = choices.find(({ key }) => key === String(props.values.scopeType))?.label
  const note = { 1: words.everything, 6: words.shops }[typeOf(props.values)]
  return (
    <>
      <Suggested
        {...props}
        suggestion={row && type ? `${(language === 'en' && row.nameEn) || row.name} [${type}]` : ''}
      />
      {note && <Alert type="info" showIcon title={say(note)} />}
    </>
  )
}

/** The first column of the list that holds a person or a department, suggested. */
function ColumnInput(props: InputProps) {
  const meaning = useMeaning(props.values)
  const isOwn = typeOf(props.values) === 2
  const [first] = (isOwn ? meaning?.userColumns : meaning?.deptColumns) ?? []
  return <Suggested {...props} suggestion={first?.name ?? (isOwn ? 'create_user' : 'create_dept')} />
}

function ConditionInput({ value, onChange, values, id, invalid, describedBy }: InputProps) {
  const isRequired = useRequired()
  const say = useSay()
  const meaning = useMeaning(values)
  const box = useRef<HTMLTextAreaElement>(null)
  const text = String(value ?? '')
  const flaw = text.trim() ? flawOf(text) : undefined
  const insert = (word: string) => {
    const area = box.current
    const start = area?.selectionStart ?? text.length
    const end = area?.selectionEnd ?? text.length
    onChange(text.slice(0, start) + word + text.slice(end))
    setTimeout(() => {
      area?.focus()
      area?.setSelectionRange(start + word.length, start + word.length)
    }, 0)
  }
  return (
    <div className="kit-grammar">
      <Input.TextArea
        id={id}
        className="kit-mono"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        autoSize={{ minRows: 3, maxRows: 10 }}
        spellCheck={false}
        status={invalid || flaw ? 'error' : undefined}
        aria-invalid={invalid || !!flaw}
        aria-describedby={describedBy}
        aria-required={isRequired}
        ref={(made) => {
          box.current =
            (made as unknown as { resizableTextArea?: { textArea: HTMLTextAreaElement } } | null)?.resizableTextArea
              ?.textArea ?? null
        }}
      />
      {text.trim() && (
        <span className={flaw ? 'kit-bad' : 'kit-yes'} aria-live="polite">
          <Icon name={flaw ? 'close-circle' : 'check-circle'} />{' '}
          {flaw
            ? say(flaw.at ? words.flawAt : words.flawEnd, { at: flaw.at, expected: say(expected[flaw.expected]) })
            : say(words.good)}
        </span>
      )}
      <ul className="kit-quiet">
        <li>{say(words.grammar)}</li>
        <li>{say(words.comparisons)}</li>
        <li>{say(words.values)}</li>
      </ul>
      <span className="kit-grammar-facts">
        {placeholders.map((name) => (
          <button key={name} type="button" onClick={() => insert(`\${${name}}`)}>
            <Tag className="kit-mono">{`\${${name}}`}</Tag>
            <span className="kit-quiet">{say(facts[name])}</span>
          </button>
        ))}
      </span>
      <p className="kit-quiet">
        {meaning?.known ? say(words.columns, { label: meaning.label }) : say(words.noColumns)}
      </p>
      <span className="kit-grammar-facts kit-grammar-columns">
        {meaning?.columns.map(({ name, label, unit }) => (
          <button key={name} type="button" onClick={() => insert(name)}>
            <Tag className="kit-mono">{name}</Tag>
            <span className="kit-quiet">
              {label}
              {unit && ` · ${unit}`}
            </span>
          </button>
        ))}
      </span>
    </div>
  )
}

const shown = besideMenu(dataScope, ['scopeName', 'menuId', 'scopeType', 'scopeColumn', 'resourceCode'])
const inputs = {
  menuId: MenuInput,
  resourceCode: KnownCodeInput,
  scopeType: TypeInput,
  scopeName: NameInput,
  scopeColumn: ColumnInput,
  scopeValue: ConditionInput,
}

/** Data scopes, beside the menus. */
export default function DataScopePage() {
  const isPlatform = useIsPlatform()
  // The platform's scopes serve every tenant; only the platform changes them.
  const tame = (deeds: Deed[], row: Row) =>
    isPlatform || row.tenantId !== settings.defaultTenant ? deeds : deeds.filter(({ key }) => key === 'view')
  return <ScopesPage resource={shown} intro={words.intro} page={{ inputs, formLayout: layout, tame }} />
}
