// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Code for accounts of a test chain: anyone may make them call. One transaction plays many accounts.
contract Puppet {
    struct Call {
        Puppet account;
        address target;
        bytes data;
    }

    function play(Call[] calldata calls) external {
        for (uint256 i; i < calls.length; ++i) {
            calls[i].account.call(calls[i].target, calls[i].data);
        }
    }

    function call(address target, bytes calldata data) external {
        (bool success, bytes memory result) = target.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
    }
}
