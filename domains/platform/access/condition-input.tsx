import { Input, Tag } from 'antd'
import { useRef } from 'react'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { findScopeConditionFlaw, SCOPE_PLACEHOLDERS, type ScopeConditionFlaw } from './scope-grammar.ts'
import { useDataScopeRules } from './use-scope-meaning.ts'

const words = {
  grammar: {
    zh: '写法：字段 比较 值，用 and、or 连接，可加括号。',
    en: 'Syntax: column, operator, value. Join with and / or. Brackets are allowed.',
  },
  comparisons: { zh: '比较：=  <>  >  >=  <  <=  in', en: 'Operators: =  <>  >  >=  <  <=  in' },
  values: {
    zh: '值：数字、单引号文字、in (…) 列表，或下面的登录人信息（点击插入）：',
    en: 'Values: numbers, quoted text, in (…) lists, or these details of the user (click to insert):',
  },
  columns: { zh: '{label}的字段（点击插入）：', en: 'Columns of {label} (click to insert):' },
  noColumns: {
    zh: '先填写权限编号，这里会列出可用的字段。',
    en: 'Enter the scope code first. Available columns are listed here.',
  },
  good: { zh: '写法正确', en: 'Syntax OK' },
  flawEnd: { zh: '结尾处{expected}', en: 'At the end: {expected}' },
  flawAt: { zh: '“{at}”处{expected}', en: 'At “{at}”: {expected}' },
}

const expected: Record<ScopeConditionFlaw['expected'], { zh: string; en: string }> = {
  column: { zh: '应为字段名', en: 'a column name is expected' },
  operator: { zh: '应为比较符', en: 'an operator is expected' },
  value: { zh: '应为值', en: 'a value is expected' },
  closing: { zh: '缺少右括号', en: 'a closing bracket is missing' },
  joint: { zh: '应为 and 或 or', en: 'and / or is expected' },
}

const facts: Record<(typeof SCOPE_PLACEHOLDERS)[number], { zh: string; en: string }> = {
  userId: { zh: '本人', en: 'own ID' },
  deptId: { zh: '首个部门', en: 'first department' },
  deptIds: { zh: '所有部门', en: 'all departments' },
  roleIds: { zh: '所有角色', en: 'all roles' },
  tenantId: { zh: '租户', en: 'tenant' },
  shopIds: { zh: '所属门店', en: 'own stores' },
}

/** Input of a custom condition, with its first syntax error and the words it may use. */
export function ScopeConditionInput({ value, onChange, values, id, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const box = useRef<HTMLTextAreaElement>(null)
  const text = String(value ?? '')
  const flaw = text.trim() ? findScopeConditionFlaw(text) : undefined
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
      {text.trim() && <Verdict flaw={flaw} />}
      <Words values={values} onInsert={insert} />
    </div>
  )
}

function Verdict({ flaw }: { flaw: ScopeConditionFlaw | undefined }) {
  const t = useLocalize()
  return (
    <span className={flaw ? 'kit-bad' : 'kit-yes'} aria-live="polite">
      <Icon name={flaw ? 'close-circle' : 'check-circle'} />{' '}
      {flaw
        ? t(flaw.at ? words.flawAt : words.flawEnd, { at: flaw.at, expected: t(expected[flaw.expected]) })
        : t(words.good)}
    </span>
  )
}

type WordsProps = Pick<InputProps, 'values'> & { onInsert: (word: string) => void }

/** Grammar help of a condition: placeholders and columns; a click inserts one at the cursor. */
function Words({ values, onInsert }: WordsProps) {
  const t = useLocalize()
  const meaning = useDataScopeRules(values)
  return (
    <>
      <ul className="kit-quiet">
        <li>{t(words.grammar)}</li>
        <li>{t(words.comparisons)}</li>
        <li>{t(words.values)}</li>
      </ul>
      <span className="kit-grammar-facts">
        {SCOPE_PLACEHOLDERS.map((name) => (
          <button key={name} type="button" onClick={() => onInsert(`\${${name}}`)}>
            <Tag className="kit-mono">{`\${${name}}`}</Tag>
            <span className="kit-quiet">{t(facts[name])}</span>
          </button>
        ))}
      </span>
      <p className="kit-quiet">{meaning?.known ? t(words.columns, { label: meaning.label }) : t(words.noColumns)}</p>
      <span className="kit-grammar-facts kit-grammar-columns">
        {meaning?.columns.map(({ name, label, unit }) => (
          <button key={name} type="button" onClick={() => onInsert(name)}>
            <Tag className="kit-mono">{name}</Tag>
            <span className="kit-quiet">
              {label}
              {unit && ` · ${unit}`}
            </span>
          </button>
        ))}
      </span>
    </>
  )
}
