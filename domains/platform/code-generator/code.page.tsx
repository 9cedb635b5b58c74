import { useQuery } from '@tanstack/react-query'
import { AutoComplete } from 'antd'
import { useMemo, useState } from 'react'
import type { WireRow } from '#kit/resource/index.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useActionRunner } from '#kit/web/row/run-action.ts'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { code, codeFieldFormats } from './code.resource.ts'
import { useGeneratorChoices } from './column.panel.tsx'
import { createResourceDesigns, type DesignCode, type ModelWithColumns } from './design.ts'
import { GeneratedCodePreview } from './preview.panel.tsx'
import './develop.css'

type Row = WireRow<typeof code>

const words = {
  intro: {
    zh: '由模型生成业务文件；先预览，再下载压缩包，在工程中用 npm run generate 合并，人工修改不会丢失',
    en:
      'Generates business files from models. Preview, download the archive and merge it into the ' +
      'project with npm run generate. Manual edits are kept.',
  },
  preview: { zh: '预览', en: 'Preview' },
  failed: { zh: '预览没有打开', en: 'The preview could not be opened' },
}

/** Text input that suggests existing names and accepts a new one. */
function Named({ options, ...props }: InputProps & { options: { value: string; label: string }[] }) {
  return (
    <AutoComplete
      id={props.id}
      className="kit-fill"
      value={String(props.value ?? '')}
      onChange={(value) => props.onChange(value ?? '')}
      options={options}
      showSearch={{ filterOption: (text, option) => String(option?.label).toLowerCase().includes(text.toLowerCase()) }}
      status={props.invalid ? 'error' : undefined}
      aria-describedby={props.describedBy}
    />
  )
}

function ModuleInput(props: InputProps) {
  const { modules } = useGeneratorChoices()
  return (
    <Named
      {...props}
      options={modules.map(({ name, label, folder }) => ({ value: name, label: `${label} · ${folder}` }))}
    />
  )
}

function MenuInput(props: InputProps) {
  const { menus } = useGeneratorChoices()
  return <Named {...props} options={menus.map((one) => ({ value: one.code, label: `${one.label} · ${one.code}` }))} />
}

const layout: FormLayoutOf<typeof code> = [
  { title: code.fields.codeName.group!, fields: ['codeName', 'modelId', 'withPage', 'withServer'] },
  {
    title: code.fields.serviceName.group!,
    fields: ['serviceName', 'menuUnder', 'apiPath', 'webPath', 'tableName', 'menuIcon'],
  },
  { title: code.fields.tenancyKind.group!, fields: ['tenancyKind', 'templateType'] },
  {
    title: code.fields.treePid.label,
    fields: ['treePid'],
    when: ({ templateType }) => templateType === 'tree',
  },
  {
    title: code.fields.subModelId.label,
    fields: ['subModelId', 'subFkId'],
    when: ({ templateType }) => templateType === 'sub',
  },
]

/** Fields of older clients' own generator: stored for them, not shown, and not used here. */
const HIDDEN = [
  'author',
  'tablePrefix',
  'pkName',
  'packageName',
  'baseMode',
  'wrapMode',
  'feignMode',
  'codeStyle',
  'treeId',
  'treeName',
] as const
const shown = {
  ...code,
  fields: {
    ...code.fields,
    ...(Object.fromEntries([
      ...HIDDEN.map((key) => [key, { ...code.fields[key], form: 'hidden', detail: false }]),
      ...Object.entries(codeFieldFormats).map(([key, form]) => [
        key,
        { ...code.fields[key as keyof typeof codeFieldFormats], ...form },
      ]),
    ]) as unknown as typeof code.fields),
  },
}

const FIRST = new Set(['preview', 'make'])

/** Lists generator entries: which model becomes which resource, and where its files go. */
export default function CodeGenerationPage() {
  const [looking, setLooking] = useState<Row>()
  const mayMake = useHasPermission('code_gen')
  const { run, running } = useActionRunner(code)
  const make = code.actions.gen
  const generateOne = (row: Pick<Row, 'id'>) =>
    run(() => apiPost(`${code.path}/${make.path}`, { query: { ids: row.id } }), make.done).catch(() => {})
  return (
    <>
      <ResourcePage
        resource={shown}
        page={{
          intro: words.intro,
          formLayout: layout,
          inputs: { serviceName: ModuleInput, menuUnder: MenuInput },
          rowActions: (row) => [
            { key: 'preview', label: words.preview, icon: 'eye', run: () => setLooking(row) },
            ...(mayMake
              ? [
                  {
                    key: 'make',
                    label: make.label,
                    icon: make.icon,
                    disabled: running,
                    run: () => void generateOne(row),
                  },
                ]
              : []),
          ],
          // Puts preview and generate first: they are used more often than copying.
          transformActions: (all) => [
            ...all.filter(({ key }) => FIRST.has(key)),
            ...all.filter(({ key }) => !FIRST.has(key)),
          ],
        }}
      />
      {looking && <Look row={looking} onClose={() => setLooking(undefined)} />}
    </>
  )
}

type Parts = { main: ModelWithColumns; lines?: ModelWithColumns }

/** Previews the files of a generator entry; writes nothing. */
function Look({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useLocalize()
  const { data, error, refetch } = useQuery({
    queryKey: ['develop', 'parts', row.id, row.version],
    queryFn: ({ signal }) => apiGet<Parts>(`${code.path}/parts`, { id: row.id }, { quiet: true, signal }),
    retry: false,
    staleTime: 0,
  })
  const designs = useMemo(
    () => data && createResourceDesigns(row as unknown as DesignCode, data.main, data.lines),
    [row, data],
  )
  return (
    <Drawer
      open
      size={1180}
      className="kit-drawer"
      onClose={onClose}
      title={
        <span className="kit-drawer-title">
          <span className="kit-quiet">{t(words.preview)}</span> {String(row.codeName)}
        </span>
      }
    >
      {error ? (
        <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
      ) : (
        designs && <GeneratedCodePreview designs={designs} />
      )}
    </Drawer>
  )
}
