import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Alert, Tabs } from 'antd'
import { useLayoutEffect, useMemo, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { ApiError } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize, localizeForUser, type Lang } from '#kit/web/base/language.tsx'
import { addLocalResponder } from '#kit/web/http/local-responses.ts'
import { CodeBlock } from '#kit/web/parts/code-block.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { code } from './code.resource.ts'
import { generationNoteTexts, type DeclarationResult, type ResourceDesign } from './declare.ts'
import { generateResources, type GeneratedResource } from './design.ts'
import { resourceFromDeclaration, createSampleRows } from './resource-from-declaration.ts'
import './develop.css'

const words = {
  page: { zh: '页面', en: 'Page' },
  samples: { zh: '示例数据；这里的操作不会保存', en: 'Sample data. Nothing done here is saved.' },
  unsaved: { zh: '这是预览，未保存', en: 'This is a preview. Nothing was saved.' },
  look: { zh: '请人工核对', en: 'Please check manually' },
  broken: { zh: '现在的字段还不能组成页面', en: 'These fields cannot form a page yet' },
}

/** Previews the page and files of designs, updated as they change; writes nothing. */
export function GeneratedCodePreview({ designs }: { designs: readonly ResourceDesign[] }) {
  const language = useLanguage()
  const made = useMemo(() => generateResources(designs), [designs])
  const tabs = made.flatMap((one) => [
    { key: `page-${one.design.name}`, label: <PageLabel made={one} />, children: <MadePage made={one} /> },
    ...one.files.map(({ path, text }) => ({
      key: path,
      label: path.slice(path.lastIndexOf('/') + 1),
      children: <CodeBlock label={path} value={text} />,
    })),
  ])
  return (
    <div className="develop-preview">
      <GenerationNotes made={made} />
      <Tabs key={language} items={tabs} destroyOnHidden size="small" />
    </div>
  )
}

function PageLabel({ made }: { made: GeneratedResource }) {
  const t = useLocalize()
  return (
    <>
      {t(words.page)} · {t(made.design.label)}
    </>
  )
}

/** Warnings a developer should check before using the files. */
function GenerationNotes({ made }: { made: readonly GeneratedResource[] }) {
  const t = useLocalize()
  const lines = made.flatMap(({ declared }) =>
    declared.notes.map(({ code: note, keys }) => t(generationNoteTexts[note], { keys: [...new Set(keys)].join(', ') })),
  )
  if (!lines.length) return null
  return (
    <Alert
      className="kit-note"
      type="warning"
      showIcon
      title={t(words.look)}
      description={
        <ul className="develop-notes">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      }
    />
  )
}

const nameOf = ({ design }: GeneratedResource) => `preview.${design.name}`

/**
 * Returns the generated resource under a name for the preview, with the permissions of the code generator's buttons;
 * undefined when the declaration is invalid.
 */
function shownResource(made: GeneratedResource): Resource<any, any> | undefined {
  try {
    const resource = resourceFromDeclaration({ ...made.declared.declaration, path: `/${nameOf(made)}` })
    return { ...resource, name: nameOf(made), code: code.code }
  } catch {
    return undefined
  }
}

function answersOf(resource: Resource<any, any>, declared: DeclarationResult, language: Lang) {
  const rows = createSampleRows(resource, declared, language)
  return (path: string, params: Record<string, unknown>): unknown => {
    if (path.startsWith('/api/kit/settings/')) return path.includes(resource.name) ? {} : undefined
    if (path.startsWith('/api/kit/'))
      return path.includes(resource.name) ? { views: [], roles: [], records: [] } : undefined
    if (!path.startsWith(`${resource.path}/`)) return undefined
    if (path.endsWith('/list')) return resource.list.paged ? pageOf(rows, params) : rows
    if (path.endsWith('/detail')) return rows.find(({ id }) => id === params.id) ?? rows[0]
    toast.error(localizeForUser(words.unsaved))
    throw new ApiError(400, localizeForUser(words.unsaved))
  }
}

/** Returns one page of the sample rows, as the list API would. */
function pageOf<R>(rows: readonly R[], { current, size }: Record<string, unknown>) {
  const length = Number(size) || 10
  const from = ((Number(current) || 1) - 1) * length
  return { records: rows.slice(from, from + length), total: rows.length }
}

function MadePage({ made }: { made: GeneratedResource }) {
  const language = useLanguage()
  const { declaration, dictionaries } = made.declared
  // The key remounts the page only when the declaration changes.
  return <Drawn key={JSON.stringify([declaration, dictionaries, language])} made={made} language={language} />
}

function Drawn({ made, language }: { made: GeneratedResource; language: Lang }) {
  const t = useLocalize()
  const [resource] = useState(() => shownResource(made))
  const [client] = useState(() => clientFor(made.declared, language))
  const [answers] = useState(() => resource && answersOf(resource, made.declared, language))
  const [isReady, setReady] = useState(false)
  useLayoutEffect(() => {
    if (!answers) return undefined
    const back = addLocalResponder(answers)
    setReady(true)
    return back
  }, [answers])
  if (!resource) return <Alert type="error" showIcon title={t(words.broken)} />
  return (
    <>
      <p className="kit-quiet">{t(words.samples)}</p>
      <div className="develop-page">
        {isReady && (
          <QueryClientProvider client={client}>
            <ResourcePage resource={resource} page={{ embedded: true }} />
          </QueryClientProvider>
        )}
      </div>
    </>
  )
}

/** Returns a separate query client for the preview, filled with the proposed dictionaries. */
function clientFor({ dictionaries }: DeclarationResult, language: Lang): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  for (const { code: name, entries } of dictionaries)
    client.setQueryData(
      ['dictionary', name, language],
      entries.map(({ key, ...one }) => ({ key, label: one[language] })),
    )
  return client
}
