import { permissionCodeOf } from '../../resource/define-resource.ts'
import { Refused } from '../refused.ts'
import { authoriseCall } from '../request/pipeline.ts'
import type { Call, ServedResource } from '../module.ts'

/** Refuses who may not read a family's list: by permission, or by an API scope that guards it at its own address. */
export const requireListPermission = (
  { caller, services }: Pick<Call, 'caller' | 'services'>,
  { resource }: ServedResource,
): Promise<void> =>
  authoriseCall(caller, permissionCodeOf(resource, 'list'), `${resource.path}/${resource.list.path}`, services)

/** The same as yes or no, for calls that then tell less instead of nothing. */
export const hasListPermission = async (call: Call, served: ServedResource): Promise<boolean> => {
  try {
    await requireListPermission(call, served)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
