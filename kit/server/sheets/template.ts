import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { localize, type LocalizedText } from '../../base/localized-text.ts'
import { withTenantCustomFields } from '../resource/custom-fields.ts'
import type { Call, ServedResource } from '../module/module.ts'
import { importableFields, sheetHeading, YES_NO_TEXTS } from './cells.ts'
import { columnLetters, downloadResponse, writeWorkbook, type SheetCell } from './write-sheet.ts'

const w = (zh: string, en: string): LocalizedText => ({ zh, en })
const words = {
  name: w('{label}导入模板', '{label} import template'),
  notes: w('填写说明', 'Instructions'),
  column: w('列', 'Column'),
  required: w('必填', 'Required'),
  how: w('怎么填', 'How to fill in'),
  example: w('示例', 'Example'),
  one: w('从下拉列表中选择', 'Select from the list'),
  many: w('可填多个，用逗号隔开：{choices}', 'One or more, separated by commas: {choices}'),
  ref: w('{target}的名称；同名时填编号', '{target} name. Enter the ID if several share the name.'),
  refs: w('{target}的名称，多个用逗号隔开', '{target} names, separated by commas'),
  text: w('文字', 'Content'),
}

const templateFields = (served: ServedResource): [string, Field][] =>
  importableFields(served.resource).filter(([, field]) => !fieldKindOf(field).document || field.required)

function choicesOf(call: Call, field: Field): string[] {
  if (fieldKindOf(field).choices === 'yesNo') return [...YES_NO_TEXTS[call.lang]]
  return field.dict
    ? call.services.labels
        .entries(call.caller.tenantId, field.dict, call.lang)
        .filter((entry) => !field.without?.includes(entry.key))
        .map((entry) => entry.label)
    : []
}

function howTo(call: Call, field: Field, choices: string[]): string {
  const own = field.help ? `${localize(field.help, call.lang)} ` : ''
  const { choices: source, many, sheet } = fieldKindOf(field)
  if (source === 'dictionary' && many)
    return own + localize(words.many, call.lang, { choices: choices.slice(0, 20).join(', ') })
  if (choices.length) return own + localize(words.one, call.lang)
  if (field.to)
    return (
      own +
      localize(many ? words.refs : words.ref, call.lang, {
        target: localize(call.services.registry.resource(field.to).label, call.lang),
      })
    )
  return own + localize(sheet?.hint ?? words.text, call.lang)
}

function exampleOf(call: Call, field: Field, choices: string[]): SheetCell {
  if (choices.length) return choices[0]!
  if (field.to) return ''
  const { choices: source, sample: sampleOf } = fieldKindOf(field)
  const sample = sampleOf(field, 1)
  if (source === 'regions') return call.services.labels.region(String(sample))
  return typeof sample === 'object' ? JSON.stringify(sample) : String(sample)
}

/**
 * GET {base}/import-template: workbook with headings in the reader's language, drop-down lists, and a sheet that
 * explains each column.
 */
export async function handleImportTemplateCall(declared: ServedResource, call: Call): Promise<unknown> {
  const served = withTenantCustomFields(declared, call)
  const { resource } = served
  const { lang, services, caller } = call
  await services.labels.ready(caller.tenantId)
  const fields = templateFields(served).map(([key, field]) => ({ key, field, choices: choicesOf(call, field) }))
  const lists = fields.filter(({ field, choices }) => choices.length && !fieldKindOf(field).many)
  const title = localize(words.name, lang, { label: localize(resource.label, lang) })
  const rows = Math.max(0, ...lists.map(({ choices }) => choices.length))

  const bytes = await writeWorkbook([
    {
      name: localize(resource.label, lang),
      rows: [],
      headings: fields.map(({ key, field }) => sheetHeading(resource, key, lang, { isRequired: !!field.required })),
      choices: lists.map(({ choices, key }, at) => ({
        place: fields.findIndex((one) => one.key === key),
        formula: `choices!$${columnLetters(at)}$2:$${columnLetters(at)}$${choices.length + 1}`,
      })),
    },
    {
      name: localize(words.notes, lang),
      headings: [words.column, words.required, words.how, words.example].map((one, at) => ({
        text: localize(one, lang),
        width: [24, 8, 56, 28][at]!,
      })),
      rows: fields.map(({ key, field, choices }) => [
        sheetHeading(resource, key, lang).text,
        field.required ? YES_NO_TEXTS[lang][0] : '',
        howTo(call, field, choices),
        exampleOf(call, field, choices),
      ]),
    },
    ...(lists.length
      ? [
          {
            name: 'choices',
            isHidden: true,
            headings: lists.map(({ key }) => ({ text: key, width: 20 })),
            rows: Array.from({ length: rows }, (_none, line) => lists.map(({ choices }) => choices[line] ?? '')),
          },
        ]
      : []),
  ])
  return call.reply(downloadResponse(title, bytes))
}
