import { useMemo } from 'react'
import { permissionCodeOf, type Action, type Resource } from '#kit/resource/define-resource.ts'
import { useSession } from './session.ts'

type Permissions = Record<string, true>

const mayAct = (permissions: Permissions, resource: { code: string }, name: string, action: Pick<Action, 'can'>) =>
  permissions[permissionCodeOf(resource, action.can ?? name)] === true

/** Returns what the user may do with a resource: what it offers and the user has the permission for. */
export function useResourcePermissions(resource: Resource<any, any>) {
  const permissions = useSession((session) => session.permissions)
  return useMemo(() => mayOf(permissions, resource), [permissions, resource])
}

function mayOf(permissions: Permissions, resource: Resource<any, any>) {
  const has = (name: string) => permissions[permissionCodeOf(resource, name)] === true
  const { buttons } = resource
  return {
    add: buttons.add && has('add'),
    edit: buttons.edit && has('edit'),
    remove: buttons.delete && has('delete'),
    view: buttons.view && has('view'),
    export: buttons.export && has('export'),
    /** For a page with an export of its own. */
    ownExport: has('export'),
    import: buttons.import && has('import'),
    act: (name: string) => mayAct(permissions, resource, name, resource.actions[name] as Action),
  }
}
