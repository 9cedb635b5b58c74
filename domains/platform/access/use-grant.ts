import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mergeSetChanges } from '#kit/web/form/merge-sets.ts'
import type { TreeNode } from '#kit/web/inputs/tree-nodes.ts'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { menu } from './menu.resource.ts'
import { role } from './role.resource.ts'

type Row = WireRow<typeof role>

type Part = 'menu' | 'dataScope' | 'apiScope'
type Keys = Record<Part, string[]>

export const GRANT_PARTS: Part[] = ['menu', 'dataScope', 'apiScope']

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && new Set([...one, ...other]).size === one.length

/**
 * Loads the grants of roles and keeps what the user ticks. `save` sends them with those loaded first, so that the
 * server refuses when they changed meanwhile; `catchUp` then merges both.
 */
export function useRoleGrants(roles: Row[]) {
  const language = useLanguage()
  const roleIds = roles.map((row) => String(row.id))
  const [changed, setChanged] = useState<Partial<Keys>>({})
  const tree = useQuery({
    queryKey: ['grant-tree', language],
    queryFn: () => apiGet<Record<Part, TreeNode[]>>(`${menu.path}/grant-tree`, undefined, { quiet: true }),
  })
  const stored = useQuery({
    queryKey: ['role-tree-keys', roleIds.join(',')],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => apiGet<Keys>(`${menu.path}/role-tree-keys`, { roleIds }, { quiet: true }),
  })
  const keysOf = (part: Part) => changed[part] ?? stored.data?.[part] ?? []
  const isChanged = GRANT_PARTS.some((part) => changed[part] && !isSame(changed[part], stored.data?.[part] ?? []))
  const save = async () => {
    await apiPost(`${role.path}/grant`, {
      body: {
        roleIds,
        menuIds: keysOf('menu'),
        dataScopeIds: keysOf('dataScope'),
        apiScopeIds: keysOf('apiScope'),
        was: stored.data,
      },
    })
  }
  const catchUp = async () => {
    const was = stored.data
    const now = (await stored.refetch()).data
    if (was && now)
      setChanged(
        Object.fromEntries(
          GRANT_PARTS.flatMap((part) =>
            changed[part] ? [[part, mergeSetChanges(changed[part], was[part], now[part])]] : [],
          ),
        ),
      )
  }
  return {
    tree: tree.data,
    isPending: tree.isPending || stored.isPending,
    error: tree.error ?? stored.error,
    retry: () => {
      void tree.refetch()
      void stored.refetch()
    },
    isChanged,
    keysOf,
    setKeys: (part: Part, ids: string[]) => setChanged({ ...changed, [part]: ids }),
    save,
    catchUp,
  }
}
