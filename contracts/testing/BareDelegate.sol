// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A delegate (EIP-7702) that batches calls of its account and does not implement ERC-1271.
contract BareDelegate {
    error NotAccount(address caller);

    receive() external payable {}

    function execute(address[] calldata targets, bytes[] calldata data) external {
        if (msg.sender != address(this)) revert NotAccount(msg.sender);
        for (uint256 i; i < targets.length; ++i) {
            (bool success, bytes memory result) = targets[i].call(data[i]);
            if (!success) {
                assembly ("memory-safe") {
                    revert(add(result, 32), mload(result))
                }
            }
        }
    }
}
