// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PermitToken} from "../devnet/PermitToken.sol";

/// @notice A token whose permit reverts, answers any bytes, uses all its gas, or calls another contract instead of
/// giving an allowance. Anyone may choose.
contract HostilePermitToken is PermitToken {
    enum Conduct {
        REVERTS,
        ANSWERS_BYTES,
        USES_ALL_GAS,
        CALLS_BACK
    }

    Conduct public conduct;
    address private _target;
    bytes private _data;
    /// @notice What the last call back answered.
    bytes public answer;

    constructor() PermitToken("Hostile Token", "HOST", 6) {}

    function behave(Conduct conduct_, address target, bytes calldata data) external {
        conduct = conduct_;
        _target = target;
        _data = data;
    }

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) public override {
        if (conduct == Conduct.REVERTS) revert("no permit");
        if (conduct == Conduct.CALLS_BACK) (, answer) = _target.call(_data);
        if (conduct == Conduct.USES_ALL_GAS) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        if (conduct == Conduct.ANSWERS_BYTES) {
            assembly ("memory-safe") {
                mstore(0, not(0))
                return(0, 31)
            }
        }
    }
}
