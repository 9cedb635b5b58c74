import { useEffect, useRef, useState } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { TextLineInput } from '#kit/fields/plain.web.tsx'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import type { Resource, WireRow } from '#kit/resource/index.ts'
import {
  useTenantAwareResource,
  tenantCellOverrides,
  tenantInputOverrides,
  TenantFilter,
} from '#kit/web/page/for-tenant.tsx'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { createSortOrderCell } from '#kit/web/list/sort-cell.tsx'
import { EmptyStateNote } from '#kit/web/parts/states.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { useElementWidth } from '#kit/web/list/use-width.ts'
import type { dict, dictBiz } from './dict.resource.ts'
import './dictionaries.css'

export type DictionariesLayout = 'horizontal' | 'vertical'

const words = {
  dictionaries: { zh: '字典', en: 'Dictionaries' },
  entries: { zh: '字典项', en: 'Entries' },
  of: { zh: '{name} 的字典项', en: '{name} entries' },
  choose: { zh: '请先选择一个字典', en: 'Select a dictionary first' },
  chooseHint: { zh: '点击一行，在这里查看和维护它的字典项。', en: 'Click a row to view and edit its entries here.' },
}

export const systemDictionaryIntro = {
  zh: '系统共用的选项，如性别、状态；封存的选项不再提供选择',
  en: 'Options shared by the whole system, for example, gender or status. Archived options are no longer offered.',
}

/** Widths in pixels of the form and of the action columns of both tables, from the specification. */
const width = { form: 880, parent: 250, child: 300 }
/** Minimum width in pixels to show both tables side by side; narrower, each would show two of its five columns. */
const ROOMY = 1400
/** Column widths in pixels for a two-digit number and a yes/no. */
const SLIM = { sort: 84, isSealed: 76 }
const ROOT = '0'

type Dict = Resource<typeof dict.fields | typeof dictBiz.fields>
type Row = WireRow<Dict>

const hidden = <F extends Field>(field: F): F => ({ ...field, form: 'hidden', search: undefined, detail: false })

const slim = ({ fields }: Dict) => ({
  ...fields,
  sort: { ...fields.sort, width: SLIM.sort },
  isSealed: { ...fields.isSealed, width: SLIM.isSealed },
})

/** Returns the resource for the table of dictionaries, without key, colour and parent. */
function parentsOf(resource: Dict) {
  const { parentId, dictKey, colour, code, dictValue, ...fields } = slim(resource)
  return {
    ...resource,
    fields: {
      code: { ...code, width: 140 },
      dictValue: { ...dictValue, width: 130 },
      ...fields,
      parentId: hidden(parentId),
      dictKey: hidden(dictKey),
      colour: hidden(colour),
    },
    list: {
      ...resource.list,
      columns: [
        'code',
        ...(resource.tenancy === 'tenant' ? ['tenantId'] : []),
        'dictValue',
        'sort',
        'isSealed',
        'remark',
      ],
    },
  }
}

/** Returns the resource for the tree of a dictionary's entries; their dictionary is fixed. */
function childrenOf(resource: Dict) {
  const { code, parentId, dictKey, dictValue, ...fields } = slim(resource)
  return {
    ...resource,
    title: 'dictValue',
    label: { zh: '字典项', en: 'Dictionary entry' },
    fields: {
      parentId: { ...parentId, width: 130 },
      code: { ...code, search: undefined },
      dictKey: { ...dictKey, required: true, default: '', search: 'eq', width: 96 },
      ...fields,
      dictValue: { ...dictValue, width: 120 },
    },
    list: {
      ...resource.list,
      columns: ['dictValue', 'dictKey', 'sort', 'isSealed', 'code', 'parentId', 'remark'],
      paged: false,
    },
  }
}

function NameCell({ row }: CellProps<Row>) {
  const language = useLanguage()
  return <span className="kit-line">{String((language === 'en' && row.dictValueEn) || row.dictValue)}</span>
}

const Fixed = (props: InputProps) => <TextLineInput {...props} disabled />

/** Shows the parent's name, not editable: the parent follows from where the entry is added. */
function FixedParent(props: InputProps) {
  return <TextLineInput {...props} disabled value={props.values.parentName ?? props.value} />
}

type Props = { resource: Dict; intro: LocalizedText; layout: DictionariesLayout }

/** Shows dictionaries and, beside or below, the entries of the chosen one. */
export function DictionariesPanel({ resource, intro, layout }: Props) {
  const t = useLocalize()
  const language = useLanguage()
  const [parts] = useState(() => ({ parents: parentsOf(resource), children: childrenOf(resource) }))
  const parents = useTenantAwareResource(parts.parents)
  const [chosen, setChosen] = useState<Row>()
  const entries = useRef<HTMLElement>(null)
  const pair = useRef<HTMLDivElement>(null)
  const availableWidth = useElementWidth(pair) ?? 0
  const isWide = useScreenSize() >= 2
  const isSideBySide = layout === 'horizontal' && availableWidth >= ROOMY
  useEffect(() => {
    // Scrolls to the entries when they are below the list, out of sight.
    if (chosen && !isSideBySide) entries.current?.scrollIntoView({ block: 'start' })
  }, [chosen, isSideBySide])
  const nameOf = (row: Row) => String((language === 'en' && row.dictValueEn) || row.dictValue)

  const parentPage = {
    embedded: true,
    call: 'parent-list',
    actionsWidth: isWide ? width.parent : undefined,
    formWidth: width.form,
    cells: { ...tenantCellOverrides, dictValue: NameCell, sort: createSortOrderCell(resource) },
    inputs: tenantInputOverrides,
    preset: () => ({ parentId: ROOT, dictKey: -1 }),
    head: resource.tenancy === 'tenant' ? (list: ResourceList<Row>) => <TenantFilter list={list} /> : undefined,
    onRow: setChosen,
    current: String(chosen?.id ?? ''),
  }
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(resource.label)}</h1>
        <p>{t(intro)}</p>
      </header>
      <div className={isSideBySide ? 'dict-pair dict-beside' : 'dict-pair'} ref={pair}>
        <section className="dict-part" aria-label={t(words.dictionaries)}>
          <h2>{t(words.dictionaries)}</h2>
          <ResourcePage resource={parents} page={parentPage} />
        </section>
        <section className="dict-part" aria-label={t(words.entries)} ref={entries}>
          <h2>{chosen ? t(words.of, { name: nameOf(chosen) }) : t(words.entries)}</h2>
          {chosen ? (
            <Entries
              key={String(chosen.id)}
              resource={parts.children}
              parent={chosen}
              parentName={nameOf(chosen)}
              isWide={isWide}
            />
          ) : (
            <EmptyStateNote icon="read" title={t(words.choose)} hint={t(words.chooseHint)} />
          )}
        </section>
      </div>
    </div>
  )
}

function Entries({
  resource,
  parent,
  parentName,
  isWide,
}: {
  resource: ReturnType<typeof childrenOf>
  parent: Row
  parentName: string
  isWide: boolean
}) {
  const fixed = { parentId: String(parent.id) }
  const preset = {
    parentId: String(parent.id),
    parentName,
    code: parent.code,
    ...(parent.tenantId !== undefined && { tenantId: parent.tenantId }),
  }
  const page = {
    embedded: true,
    call: 'child-list',
    fixed,
    preset: () => preset,
    actionsWidth: isWide ? width.child : undefined,
    formWidth: width.form,
    cells: { dictValue: (props: CellProps<Row>) => <NameCell {...props} />, sort: createSortOrderCell(resource) },
    inputs: { code: Fixed, parentId: FixedParent },
  }
  return <ResourcePage resource={resource} page={page} />
}
