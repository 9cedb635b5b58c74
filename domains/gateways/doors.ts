import './refusals.ts'

export {
  askCommand,
  bytesOf,
  commanded,
  gatewayOf,
  linkOf,
  PARAMS_BYTES_MAX,
  refusalOf,
  tenantOfDevice,
  waitFor,
  type Asked,
} from './request-command.ts'
export { brokerHookSecret } from './broker-hook.ts'
export {
  ALREADY,
  CODE,
  commandOf,
  defineCommand,
  type Command,
  type CommandOf,
  type Hello,
  type Link,
} from './command.ts'
export { reasonIn } from './device-command.server.ts'
export { authenticateDevice, issueDeviceKey } from './device-key.ts'
export { answerOf, clientIdInput, syncTime } from './gateway-commands.ts'
export {
  desiredOf,
  Misheard,
  onDeviceEvent,
  onDeviceQuestion,
  onDeviceState,
  onLinkState,
  type Answer,
  type Heard,
} from './device-handlers.ts'
export { isMoment, officeTime } from './device-clock.ts'
export { wholeNumber } from './identity.ts'
export { answeredState } from './handle-device-message.ts'
export { deviceLine, type DeviceLine } from './device-transport.ts'
export { withdraw } from './command-transition.ts'
export { grantOf } from './topics.ts'
export { proved } from './command-transition.ts'
export { cutOff, letIn, onLinkRevoked } from './device-link.server.ts'
export { hear, tellDesired } from './handle-device-message.ts'
export { createPresence, type Presence } from './presence.ts'
