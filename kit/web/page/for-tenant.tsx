import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useMemo } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { baseFields, type Resource } from '#kit/resource/define-resource.ts'
import type { InputOverrides } from '../form/edit-form.tsx'
import type { CellOverrides } from '../row/field-cell.tsx'
import type { WireRowOrUntyped } from '../row/form-values.ts'
import { apiGet } from '../http/http.ts'
import { useLocalize } from '../base/language.tsx'
import { withListFilters } from '../list/list-state.ts'
import { words as kit } from '../base/page-words.ts'
import { definePageParts } from '../list/page-parts.ts'
import { ResourcePage, type PageParts, type PagePartsOf } from './resource-page.tsx'
import { useSession } from '../session/session.ts'
import { webSettings } from '../base/settings.ts'
import type { ResourceList } from '../list/use-list.ts'
import '../parts/parts.css'

const words = {
  tenant: { zh: '租户', en: 'Tenant' },
  all: { zh: '全部租户', en: 'All tenants' },
}

type Tenant = { tenantId: string; tenantName: string }

/** Returns whether the user belongs to the platform's own tenant and so sees rows of all tenants. */
export const useIsPlatformUser = () => useSession((session) => session.user?.tenantId === webSettings.defaultTenant)

/** Fetches the tenants this user may choose from. */
const useTenants = () =>
  useQuery({
    queryKey: ['tenants'],
    queryFn: () => apiGet<Tenant[]>('/api/blade-system/tenant/select', undefined, { quiet: true }),
    staleTime: 60_000,
  })

/** Select for the tenant of a new row. */
export function TenantInput({ value, onChange, id, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const { data = [], isPending } = useTenants()
  return (
    <Select
      id={id}
      className="kit-fill"
      value={String(value ?? '') || undefined}
      onChange={(next: string) => onChange(next)}
      loading={isPending}
      options={data.map((one) => ({ value: one.tenantId, label: `${one.tenantName} (${one.tenantId})` }))}
      showSearch={{ optionFilterProp: 'label' }}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={t(kit.pick)}
    />
  )
}

function TenantCell({ value }: CellProps) {
  const { data = [] } = useTenants()
  const name = data.find((one) => one.tenantId === value)?.tenantName
  return (
    <span className="kit-line" data-tip={String(value ?? '')}>
      {name ?? String(value ?? '')}
    </span>
  )
}

/** Cells that show a tenant by its name instead of its number. */
export const tenantCellOverrides = { tenantId: (props: CellProps) => <TenantCell {...props} /> }
export const tenantInputOverrides = { tenantId: TenantInput }

/**
 * Returns the resource as this user needs it: users of one tenant get no tenant column, the platform gets a tenant
 * field that is chosen when adding a row.
 */
export function useTenantAwareResource<R extends Resource<any, any>>(resource: R): R {
  const isPlatform = useIsPlatformUser()
  return useMemo(() => {
    if (!isPlatform)
      return {
        ...resource,
        list: { ...resource.list, columns: resource.list.columns.filter((key) => key !== 'tenantId') },
      }
    // Puts the tenant into the group of the first field.
    const { group } = Object.values(resource.fields as Record<string, Field>)[0]!
    const tenantId: Field = {
      ...baseFields.tenantId,
      ...(group && { group }),
      label: words.tenant,
      form: 'add',
      required: true,
      default: webSettings.defaultTenant,
      width: 110,
    }
    return { ...resource, fields: { tenantId, ...resource.fields } }
  }, [isPlatform, resource])
}

/** Filter by tenant in the head of a list, for the platform only. */
export function TenantFilter({ list, className }: { list: ResourceList; className?: string }) {
  const t = useLocalize()
  const isPlatform = useIsPlatformUser()
  const { data = [], isPending } = useTenants()
  if (!isPlatform) return null
  return (
    <Select
      className={className ?? 'kit-head-tenant'}
      value={list.state.filters.tenantId || undefined}
      placeholder={t(words.all)}
      aria-label={t(words.tenant)}
      allowClear
      loading={isPending}
      options={data.map((one) => ({ value: one.tenantId, label: `${one.tenantName} (${one.tenantId})` }))}
      showSearch={{ optionFilterProp: 'label' }}
      onChange={(next?: string) => list.set((before) => withListFilters(before, { tenantId: next ?? '' }))}
    />
  )
}

export const renderTenantFilter = (list: ResourceList) => <TenantFilter list={list} />

/**
 * Creates the page of a resource whose rows belong to tenants, with given parts: the platform sees and chooses the
 * tenant.
 */
export function createTenantPage<
  R extends Resource<any, any>,
  C extends CellOverrides<WireRowOrUntyped<R>> = Record<never, never>,
  I extends InputOverrides = Record<never, never>,
>(resource: R, parts: PagePartsOf<R, C, I>) {
  const [first, ...others] = resource.list.columns
  const shown = {
    ...resource,
    list: { ...resource.list, columns: [first!, 'tenantId', ...others.filter((key) => key !== 'tenantId')] },
  }
  const own = definePageParts(resource, parts)
  const all: PageParts = {
    head: renderTenantFilter,
    ...own,
    cells: { ...tenantCellOverrides, ...own.cells },
    inputs: { ...tenantInputOverrides, ...own.inputs },
  }
  return function Page() {
    return <ResourcePage resource={useTenantAwareResource<Resource<any, any>>(shown)} page={all} />
  }
}
