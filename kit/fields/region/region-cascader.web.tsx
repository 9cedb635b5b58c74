import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { useEffect, useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { normalizeRegionCode } from './region.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useAriaRequired } from '../../web/base/required.ts'

type Node = { id: string; title: string; hasChildren?: boolean; disabled?: boolean }
type RegionOption = { value: string; label: string; isLeaf: boolean; disabled?: boolean; children?: RegionOption[] }

const ROOT = '00'

const childrenOf = (client: QueryClient, parentCode: string, language: string) =>
  client.fetchQuery({
    queryKey: ['regions', parentCode, language],
    queryFn: () => apiGet<Node[]>('/api/blade-system/region/lazy-tree', { parentCode }, { quiet: true }),
    staleTime: Infinity,
  })

const toOption = (node: Node): RegionOption => ({
  value: String(node.id),
  label: node.title,
  isLeaf: !node.hasChildren,
  disabled: node.disabled,
})

/** Loads the options from the top level down to a code, with all siblings on every level, and the path to the code. */
async function optionsDownTo(client: QueryClient, given: string, language: string) {
  const code = normalizeRegionCode(given)
  const options = (await childrenOf(client, ROOT, language)).map(toOption)
  const path: RegionOption[] = []
  for (let level = options; ;) {
    const next = code === '' ? undefined : level.find((option) => code.startsWith(option.value))
    if (!next) break
    path.push(next)
    if (next.value === code || next.isLeaf) break
    next.children = (await childrenOf(client, next.value, language)).map(toOption)
    level = next.children
  }
  return { options, path }
}

const useRegionPath = (code: string) => {
  const client = useQueryClient()
  const language = useLanguage()
  return useQuery({
    queryKey: ['region-path', code, language],
    queryFn: () => optionsDownTo(client, code, language),
    staleTime: Infinity,
  })
}

/** Shows the names from province to county for a code. */
export function RegionPathText({ code }: { code: string }) {
  const { data } = useRegionPath(code)
  return <>{data?.path.length ? data.path.map((option) => option.label).join(' / ') : code}</>
}

type Props = {
  value: string
  onChange: (code: string) => void
  anyLevel?: boolean
  id?: string
  disabled?: boolean
  invalid?: boolean
  describedBy?: string
}

/** A region of China by province, city and county; each level is loaded when it is opened. */
export default function RegionCascader({ value, onChange, anyLevel, id, disabled, invalid, describedBy }: Props) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const client = useQueryClient()
  const language = useLanguage()
  const { data } = useRegionPath(value)
  const [options, setOptions] = useState<RegionOption[]>([])
  useEffect(() => {
    if (data) setOptions(structuredClone(data.options))
  }, [data])
  const load = async (chosen: RegionOption[]) => {
    const last = chosen.at(-1)
    if (!last || last.children) return
    last.children = (await childrenOf(client, last.value, language)).map(toOption)
    setOptions((before) => [...before])
  }
  return (
    <Cascader
      id={id}
      className="kit-fill"
      options={options}
      value={data?.path.map((option) => option.value) ?? []}
      onChange={(path) => onChange(path?.at(-1) ?? '')}
      loadData={(chosen) => void load(chosen)}
      changeOnSelect={anyLevel}
      allowClear
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={t(words.pick)}
    />
  )
}
