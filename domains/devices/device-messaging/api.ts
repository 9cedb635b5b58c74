import './refusals.ts'

export {
  requestCommand,
  bytesOf,
  commanded,
  gatewayOf,
  requireDeviceLink,
  PARAMS_BYTES_MAX,
  refusalOf,
  tenantOfDevice,
  waitForCommand,
  type CommandOrigin,
} from './request-command.ts'
export { brokerHookSecret } from './broker-hook.ts'
export {
  ALREADY_APPLIED,
  CODE,
  commandOf,
  defineCommand,
  type Command,
  type CommandDefinition,
  type Hello,
  type DeviceLink,
} from './command.ts'
export { reasonIn } from './device-command.server.ts'
export { authenticateDevice, issueDeviceKey } from './device-key.ts'
export { answerOf, clientIdInput, syncTime } from './gateway-commands.ts'
export {
  provideDesiredState,
  InvalidDeviceMessageError,
  onDeviceEvent,
  onDeviceRequest,
  onDeviceState,
  onLinkState,
  type DeviceReply,
  type DeviceContext,
} from './device-handlers.ts'
export { isMoment, officeTime } from './device-clock.ts'
export { wholeNumber } from './identity.ts'
export { handleStateReport } from './handle-device-message.ts'
export { deviceTransport, type DeviceTransport } from './device-transport.ts'
export { cancelCommands } from './command-transition.ts'
export { deviceTopicGrant } from './topics.ts'
export { completeOnServer } from './command-transition.ts'
export { cutOff, letIn, onLinkRevoked } from './device-link.server.ts'
export { handleDeviceMessage, sendDesiredState } from './handle-device-message.ts'
export { createPresence, type Presence } from './presence.ts'
