import { Alert, Input, Tag } from 'antd'
import { useRef } from 'react'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { FormLayout } from '#kit/web/edit-form.tsx'
import { useIsPlatform } from '#kit/web/for-tenant.tsx'
import type { Row } from '#kit/web/form-values.ts'
import { Icon } from '#kit/web/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import type { Deed } from '#kit/web/row-buttons.tsx'
import { settings } from '#kit/web/settings.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { flawOf, placeholders, type Flaw } from './scope-grammar.ts'
import { dataScope } from './scopes.resource.ts'
import { besideMenu, CodeInput, MenuInput, ScopesPage, Suggested, useMenuTree } from './scopes.panel.tsx'

const words = {
  intro: { zh: '角色能看到一个页面的哪些数据；一个角色有多条时取并集', en: 'Which rows of a page a role sees; several scopes of a role add up' },
  what: { zh: '规则', en: 'Rule' },
  where: { zh: '适用于', en: 'Applies to' },
  fields: { zh: '数据', en: 'Rows' },
  shops: { zh: '仅限登录人所属门店的数据；没有门店的人看不到任何数据。无需填写其他内容。', en: 'Only rows of the shops the user belongs to; who has no shop sees nothing. Nothing else to fill in.' },
  everything: { zh: '可见本租户的全部数据。', en: 'Every row of the tenant is visible.' },
  grammar: { zh: '写法：字段 比较 值，用 and、or 连接，可加括号。', en: 'Write: column, comparison, value; join with and / or, brackets allowed.' },
  comparisons: { zh: '比较：=  <>  >  >=  <  <=  in', en: 'Comparisons: =  <>  >  >=  <  <=  in' },
  values: { zh: '值：数字、单引号文字、in (…) 列表，或下面的登录人信息（点击插入）：', en: 'Values: numbers, quoted texts, in (…) lists, or these facts of the user (click to insert):' },
  columns: { zh: '字段：create_user、create_dept、id，以及该页面数据的任何字段。', en: 'Columns: create_user, create_dept, id and any field of the rows of the page.' },
  good: { zh: '写法正确', en: 'Reads well' },
  flawEnd: { zh: '结尾处{expected}', en: 'At the end: {expected}' },
  flawAt: { zh: '“{at}”处{expected}', en: 'At {at}: {expected}' },
}

const expected: Record<Flaw['expected'], { zh: string, en: string }> = {
  column: { zh: '应为字段名', en: 'a column name is expected' },
  operator: { zh: '应为比较符', en: 'a comparison is expected' },
  value: { zh: '应为值', en: 'a value is expected' },
  closing: { zh: '缺少右括号', en: 'a closing bracket is missing' },
  joint: { zh: '应为 and 或 or', en: 'and / or is expected' },
}

const facts: Record<(typeof placeholders)[number], { zh: string, en: string }> = {
  userId: { zh: '本人', en: 'own id' }, deptId: { zh: '首个部门', en: 'first department' }, deptIds: { zh: '所有部门', en: 'all departments' },
  roleIds: { zh: '所有角色', en: 'all roles' }, tenantId: { zh: '租户', en: 'tenant' }, shopIds: { zh: '所属门店', en: 'own shops' },
}

const typeOf = (values: Record<string, unknown>) => Number(values.scopeType)
const byColumn = (values: Record<string, unknown>) => [2, 3, 4].includes(typeOf(values))

const layout: FormLayout = [
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
      <Suggested {...props} suggestion={row && type ? `${(language === 'en' && row.nameEn) || row.name} [${type}]` : ''} />
      {note && <Alert type="info" showIcon title={say(note)} />}
    </>
  )
}

const ColumnInput = (props: InputProps) => <Suggested {...props} suggestion={typeOf(props.values) === 2 ? 'create_user' : 'create_dept'} />

function ConditionInput({ value, onChange, id, invalid, describedBy }: InputProps) {
  const say = useSay()
  const box = useRef<HTMLTextAreaElement>(null)
  const text = String(value ?? '')
  const flaw = text.trim() ? flawOf(text) : undefined
  const insert = (name: string) => {
    const area = box.current
    const start = area?.selectionStart ?? text.length
    const end = area?.selectionEnd ?? text.length
    const word = `\${${name}}`
    onChange(text.slice(0, start) + word + text.slice(end))
    setTimeout(() => {
      area?.focus()
      area?.setSelectionRange(start + word.length, start + word.length)
    }, 0)
  }
  return (
    <div className="kit-grammar">
      <Input.TextArea
        id={id} className="kit-mono" value={text} onChange={(event) => onChange(event.target.value)} autoSize={{ minRows: 3, maxRows: 10 }} spellCheck={false}
        status={invalid || flaw ? 'error' : undefined} aria-invalid={invalid || !!flaw} aria-describedby={describedBy}
        ref={(made) => { box.current = (made as unknown as { resizableTextArea?: { textArea: HTMLTextAreaElement } } | null)?.resizableTextArea?.textArea ?? null }}
      />
      {text.trim() && (
        <span className={flaw ? 'kit-bad' : 'kit-yes'} aria-live="polite">
          <Icon name={flaw ? 'close-circle' : 'check-circle'} /> {flaw ? say(flaw.at ? words.flawAt : words.flawEnd, { at: flaw.at, expected: say(expected[flaw.expected]) }) : say(words.good)}
        </span>
      )}
      <ul className="kit-quiet">
        <li>{say(words.grammar)}</li>
        <li>{say(words.comparisons)}</li>
        <li>{say(words.columns)}</li>
        <li>{say(words.values)}</li>
      </ul>
      <span className="kit-grammar-facts">
        {placeholders.map((name) => (
          <button key={name} type="button" onClick={() => insert(name)}><Tag className="kit-mono">{`\${${name}}`}</Tag><span className="kit-quiet">{say(facts[name])}</span></button>
        ))}
      </span>
    </div>
  )
}

const shown = besideMenu(dataScope, ['scopeName', 'menuId', 'scopeType', 'scopeColumn', 'resourceCode'])
const inputs = { menuId: MenuInput, resourceCode: CodeInput, scopeName: NameInput, scopeColumn: ColumnInput, scopeValue: ConditionInput }

/** Data scopes, beside the menus. */
export default function DataScopePage() {
  const isPlatform = useIsPlatform()
  // The platform's scopes serve every tenant; only the platform changes them.
  const tame = (deeds: Deed[], row: Row) => (isPlatform || row.tenantId !== settings.defaultTenant ? deeds : deeds.filter(({ key }) => key === 'view'))
  return <ScopesPage resource={shown} intro={words.intro} page={{ inputs, formLayout: layout, tame }} />
}
