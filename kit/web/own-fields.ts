import type { Resource } from '#kit/resource/define-resource.ts'
import { withCustomFieldsOf } from '#kit/resource/custom-fields.ts'
import { useLive } from './live/live.ts'
import { renewHeld, useSession } from './session/session.ts'

/** A family with the fields the user's tenant added to it. */
export const useOwned = <R extends Resource<any, any>>(resource: R): R =>
  withCustomFieldsOf(
    resource,
    useSession(({ own }) => own[resource.name]),
  ) as R

/** Mount once per page: fields somebody added or changed are there at once. */
export const useFreshOwnFields = (): void => useLive('own.changed', () => void renewHeld())
